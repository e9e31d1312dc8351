"""What verifying a bundle found, and the sentence that says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from workbench.report.dsse import REHEARSAL
from workbench.report.keys import PublicKey

MOST_NAMED = 5


@dataclass(frozen=True)
class FileProblem:
    """What is wrong with one file of a bundle."""

    file: str
    what: str

    @property
    def sentence(self) -> str:
        return f"{shown(self.file)} {self.what}."


@dataclass(frozen=True)
class Signer:
    """A key whose signature holds; `is_trusted` is None when there was no trusted list to compare it with."""

    key: PublicKey
    is_trusted: bool | None

    @property
    def text(self) -> str:
        return f"{self.key.name} ({self.key.fingerprint})"


@dataclass(frozen=True)
class Verdict:
    """What verifying a bundle found; `facts` is the predicate of the statement, empty unless a signature holds."""

    bundle: str
    problems: tuple[FileProblem, ...]
    signers: tuple[Signer, ...] = ()
    files_checked: int = 0
    files_matching: int = 0
    facts: Mapping[str, object] = field(default_factory=dict)

    @property
    def release_id(self) -> str:
        return shown(str(self.facts.get("id", self.bundle)))

    @property
    def is_rehearsal(self) -> bool:
        return self.facts.get("mode") == REHEARSAL

    @property
    def is_verified(self) -> bool:
        return not self.problems and bool(self.signers)

    @property
    def sentence(self) -> str:
        return _verified_sentence(self) if self.is_verified else _not_verified_sentence(self)


def _verified_sentence(verdict: Verdict) -> str:
    signers = " and ".join(signer.text for signer in verdict.signers)
    sentences = [f"Verified: {verdict.release_id}. {verdict.files_matching} files match, signed by {signers}."]
    if any(signer.is_trusted is None for signer in verdict.signers):
        sentences.append("The signature was not compared with a list of trusted keys.")
    strangers = [signer.key.name for signer in verdict.signers if signer.is_trusted is False]
    sentences += [f"{name} is not on the trusted list." for name in strangers]
    if verdict.is_rehearsal:
        sentences.append("This is a rehearsal, not a release.")
    return " ".join(sentences)


def _not_verified_sentence(verdict: Verdict) -> str:
    named = [problem.sentence.removesuffix(".") for problem in verdict.problems[:MOST_NAMED]]
    more = len(verdict.problems) - len(named)
    problems = "; ".join([*named, f"and {more} more problems"] if more else named)
    return f"Not verified: {problems}. {_rest_sentence(verdict)}".strip()


def _rest_sentence(verdict: Verdict) -> str:
    """What can be said of the files without a problem."""
    if not verdict.files_checked:
        return "Nothing else could be checked."
    if not verdict.signers:
        return "The signature could not be checked."
    matching = verdict.files_matching
    return {0: "", 1: "The other file matches."}.get(matching, f"The other {matching} files match.")


def shown(text: str) -> str:
    """Text from a bundle, without what could play tricks on a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text[:120])
