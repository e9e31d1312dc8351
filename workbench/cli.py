"""The command line: the same verbs as the window. Exit 0 done, 1 refused or not verified, 2 wrong usage."""

from __future__ import annotations

import argparse
import getpass
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from math import isnan
from pathlib import Path
from typing import Any

from workbench import __version__, places, workflow
from workbench.data.dataset import ColumnFacts
from workbench.data.findings import Finding, blocking
from workbench.data.layout import ENCODINGS, MOST_HEADER_ROWS, Decimal, Hidden, Layout
from workbench.errors import MissingKey, NoDisplay, Refused, WorkbenchError
from workbench.ledger.entries import Entry
from workbench.plan.amounts import exact_text, parse_exact
from workbench.plan.cells import grid_of
from workbench.plan.plan import ReleasePlan
from workbench.preview.curves import DEFAULT_EPSILONS, AccuracyCurve, value_words
from workbench.preview.metrics import Metric
from workbench.privacy.choose import Candidate, served_by
from workbench.privacy.composition import Allotment, allotments
from workbench.privacy.explanation import composition_words
from workbench.privacy.mechanism import Mechanism
from workbench.privacy.mechanisms import OFFERS, Offer
from workbench.privacy.noise import RehearsalNoise
from workbench.report.keys import SigningKey, create_key, list_keys, load_key, read_trusted

PASSPHRASE = "WORKBENCH_PASSPHRASE"
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
Run = Callable[[argparse.Namespace], Any]


@dataclass(frozen=True)
class Answer:
    """What a command says: one JSON document, or the same as lines of text."""

    document: dict[str, Any]
    lines: tuple[str, ...]
    code: int = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command."""
    words = list(sys.argv[1:] if arguments is None else arguments) or ["gui"]
    parser = _parser()
    asked = parser.parse_args(words)
    if getattr(asked, "seed", None) is not None and not asked.rehearsal:
        parser.error("--seed is for a rehearsal only: a live release draws from the operating system")
    try:
        if asked.command is _open_window:
            return int(_open_window(asked))
        answer: Answer = asked.command(asked)
    except WorkbenchError as error:
        answer = _refusal(error)
    _say(answer, asked.json)
    return answer.code


def _say(answer: Answer, as_json: bool) -> None:
    if as_json:
        print(json.dumps(answer.document, indent=2, ensure_ascii=False))
    stream = sys.stderr if as_json or answer.code else sys.stdout
    try:
        print(*answer.lines, sep="\n", file=stream)
    except BrokenPipeError:
        sys.stderr.close()


def _refusal(error: WorkbenchError) -> Answer:
    findings = [_finding(finding) for finding in error.findings] if isinstance(error, Refused) else []
    return Answer({"ok": False, "error": str(error), "findings": findings}, tuple(str(error).splitlines()), 1)


# ---- the commands -------------------------------------------------------------------------------------------------


def _open_window(asked: argparse.Namespace) -> int:
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in DISPLAYS):
        raise NoDisplay
    from workbench.gui.app import open_window

    return int(open_window(Path(asked.plan) if asked.plan else None))


def _inspect(asked: argparse.Namespace) -> Answer:
    dataset = workflow.open_data(Path(asked.file), _layout(asked))
    document = {
        "ok": True, "file": dataset.path.name, "sha256": dataset.sha256,
        "sheets": [{"name": sheet.name, "visibility": sheet.visibility} for sheet in dataset.sheets],
        "sheet": dataset.sheet, "header_row": dataset.header_row, "layout": _layout_record(dataset.layout),
        "rows": dataset.rows, "row_counts": asdict(dataset.row_counts),
        "columns": [_column_record(column) for column in dataset.columns],
        "findings": [_finding(finding) for finding in dataset.findings],
    }  # fmt: skip
    where = f", sheet {dataset.sheet}" if dataset.sheet else ""
    head = f"{dataset.path.name}{where}: {dataset.rows:,} rows below the header in row {dataset.first_row - 1}."
    return Answer(document, (head, *map(_column_line, dataset.columns), *_sentences(dataset.findings)))


def _layout(asked: argparse.Namespace) -> Layout:
    return Layout(
        sheet=asked.sheet, header_row=asked.header_row, header_rows=asked.header_rows, last_row=asked.last_row,
        encoding=asked.encoding, delimiter=asked.delimiter, decimal=asked.decimal, hidden=asked.hidden,
    )  # fmt: skip


def _layout_record(layout: Layout) -> dict[str, Any]:
    return {**asdict(layout), "markers": dict(layout.markers)}


def _column_record(column: ColumnFacts) -> dict[str, Any]:
    return {
        "name": column.name, "letter": column.letter, "type": column.kind, "written": column.written,
        "missing": column.missing, "suppressed": column.suppressed,
        "markers": [asdict(mark) for mark in column.markers], "examples": list(column.examples),
    }  # fmt: skip


def _column_line(column: ColumnFacts) -> str:
    return f"  {column.letter:>3}  {column.name}  ({column.kind}; {', '.join(column.examples)})"


def _new(asked: argparse.Namespace) -> Answer:
    dataset = workflow.open_data(Path(asked.file), Layout(sheet=asked.sheet))
    plan = workflow.new_plan(dataset)
    path = Path(asked.out) if asked.out else dataset.path.with_suffix(".toml")
    if path.exists():
        raise WorkbenchError(f"“{path.name}” exists already and was left alone.", "Give another name with --out.")
    workflow.save_plan(plan, path)
    open_decisions = workflow.check(plan, dataset)
    document = {"ok": True, "plan": str(path), "open": [_finding(finding) for finding in open_decisions]}
    return Answer(document, (f"Wrote {path}. Still to decide:", *_sentences(open_decisions)))


def _check(asked: argparse.Namespace) -> Answer:
    plan, problems = workflow.open_plan(Path(asked.plan))
    dataset = workflow.data_of(plan) if plan.data.path else None
    with _existing_ledger(asked) as ledger:
        findings = (*problems, *workflow.check(plan, dataset, ledger))
    stops = blocking(findings)
    document = {"ok": not stops, "findings": [_finding(finding) for finding in findings], "cells": _cell_counts(plan)}
    last = f"{len(stops)} to mend before a release." if stops else "Nothing stands in the way of a release."
    return Answer(document, (*_sentences(findings), last), 1 if stops else 0)


def _mechanisms(asked: argparse.Namespace) -> Answer:
    if asked.plan is None:
        lines = tuple(f"{offer.title} ({offer.name}): {offer.reason}" for offer in OFFERS)
        return Answer({"ok": True, "mechanisms": [_offer(offer) for offer in OFFERS]}, lines)
    plan, problems = workflow.open_plan(Path(asked.plan))
    if blocking(problems):
        raise Refused(blocking(problems))
    rows = [(part, one) for part in allotments(plan) for one in part.candidates]
    total = composition_words(plan)
    document = {"ok": True, "statistics": [_candidate(part, one) for part, one in rows], "composition": total}
    return Answer(document, (*(_candidate_line(part, one) for part, one in rows), total))


def _audit(asked: argparse.Namespace) -> Answer:
    from workbench.privacy.audits.selftest import Result, self_test
    from workbench.privacy.audits.table import NAMES

    results: list[Result] = []
    for name in (asked.mechanism,) if asked.mechanism else NAMES:
        print(f"Auditing {name} …", file=sys.stderr, flush=True)
        results.extend(self_test((name,)))
    listed = [
        {"mechanism": result.name, "holds": result.holds,
         "audits": [{"audit": one.question, "claimed": one.claimed, "found": one.found, "holds": one.holds,
                     "sentence": one.sentence} for one in result.verdicts]}
        for result in results
    ]  # fmt: skip
    hold = all(result.holds for result in results)
    detail = [f"  {one.question}: {one.sentence}" for one in results[0].verdicts] if asked.mechanism and hold else []
    lines = (*(line for result in results for line in result.lines), *detail)
    return Answer({"ok": hold, "mechanisms": listed}, lines, 0 if hold else 1)


def _preview(asked: argparse.Namespace) -> Answer:
    plan, problems = workflow.open_plan(Path(asked.plan))
    if blocking(problems):
        raise Refused(blocking(problems))
    sizes = None
    if asked.confidential:
        with workflow.open_ledger(asked.ledger) as ledger:
            sizes = workflow.look_at_true_cells(plan, workflow.data_of(plan), ledger, by=getpass.getuser())
    curve = workflow.preview(plan, Metric(asked.metric), asked.epsilons, sizes)
    document = _curve(curve)
    lines = [curve.sentence, f"Looked at: {curve.source_words}.", *_curve_lines(curve)]
    if asked.solve:
        solved = workflow.solve(plan, asked.solve, sizes)
        document["solved"] = {"target": asked.solve, "epsilon": solved and exact_text(solved)}
        lines.append(_solved_words(asked.solve, solved))
    if asked.chart:
        _save_chart(curve, Path(asked.chart))
        lines.append(f"Chart: {asked.chart}")
    return Answer(document, tuple(lines))


def _release(asked: argparse.Namespace) -> Answer:
    plan, problems = workflow.open_plan(Path(asked.plan))
    if blocking(problems):
        raise Refused(blocking(problems))
    out = Path(asked.out)
    if asked.rehearsal:
        bundle = workflow.release(plan, out=out, noise=RehearsalNoise(asked.seed))
    else:
        key = _own_key(asked)
        with workflow.open_ledger(asked.ledger) as ledger:
            bundle = workflow.release(plan, out=out, ledger=ledger, key=key)
    release = bundle.release
    document = {
        "ok": True, "id": release.id, "mode": release.mode, "bundle": str(bundle.folder), "public": str(bundle.public),
        "numbers": release.numbers, "epsilon": exact_text(release.guarantee.epsilon),
        "charged": exact_text(release.guarantee.epsilon) if release.charge else "0",
    }  # fmt: skip
    cost = "Nothing was spent." if release.is_rehearsal else f"Charged ε = {document['charged']}."
    said = f"{'Rehearsed' if release.is_rehearsal else 'Released and signed'}: {release.id}. {cost}"
    return Answer(document, (said, f"Bundle: {bundle.folder}", f"Verify: workbench verify {bundle.folder}"))


def _report(asked: argparse.Namespace) -> Answer:
    bundle = workflow.report(Path(asked.bundle), _own_key(asked) if asked.key else None)
    document = {"ok": True, "id": bundle.release.id, "public": str(bundle.public)}
    return Answer(document, (f"Written from the stored draw: {bundle.public}",))


def _verify(asked: argparse.Namespace) -> Answer:
    trusted = read_trusted(Path(asked.trust)) if asked.trust else None
    verdicts = workflow.verify(Path(asked.bundle), trusted)
    listed = [
        {"bundle": verdict.bundle, "verified": verdict.is_verified, "sentence": verdict.sentence,
         "problems": [{"file": one.file, "what": one.what} for one in verdict.problems],
         "signers": [{"name": one.key.name, "fingerprint": one.key.fingerprint, "trusted": one.is_trusted}
                     for one in verdict.signers]}
        for verdict in verdicts
    ]  # fmt: skip
    verified = all(verdict.is_verified for verdict in verdicts)
    lines = [
        line for one in verdicts for line in (one.sentence, *(f"  {problem.sentence}" for problem in one.problems))
    ]
    return Answer({"ok": verified, "bundles": listed}, tuple(lines), 0 if verified else 1)


def _ledger_list(asked: argparse.Namespace) -> Answer:
    with workflow.open_ledger(asked.ledger, create=False) as ledger:
        balances, entries, head = ledger.balances(), ledger.entries(), ledger.head()
    accounts = [
        {"account": one.account.title, "cap": exact_text(one.cap), "spent": exact_text(one.spent),
         "reserved": exact_text(one.reserved), "remaining": exact_text(one.remaining)}
        for one in balances
    ]  # fmt: skip
    document = {"ok": True, "accounts": accounts, "entries": [_entry(entry) for entry in entries],
                "head": {"sequence": head.sequence, "hash": head.hash}}  # fmt: skip
    lines = [f"{one['account']}: {one['spent']} of {one['cap']} spent, {one['remaining']} left" for one in accounts]
    rows = [
        f"{one.sequence:>5}  {one.time}  {one.kind:<18} {exact_text(one.epsilon):>6}  {one.about}" for one in entries
    ]
    return Answer(document, (*lines, *rows) or ("The ledger is empty.",))


def _ledger_verify(asked: argparse.Namespace) -> Answer:
    with workflow.open_ledger(asked.ledger, create=False) as ledger:
        head = ledger.verify()
    document = {"ok": True, "head": {"sequence": head.sequence, "hash": head.hash}}
    return Answer(document, (f"The ledger verifies: {head.sequence} entries, head {head.hash}.",))


def _keys_new(asked: argparse.Namespace) -> Answer:
    folder = Path(asked.folder) if asked.folder else places.key_folder()
    path = create_key(asked.name, _passphrase(asked, is_new=True), folder)
    public = dict(list_keys(folder))[path]
    document = {"ok": True, "key": str(path), "name": public.name, "fingerprint": public.fingerprint}
    return Answer(document, (f"Wrote {path}.", f"Fingerprint, to be read aloud: {public.fingerprint}"))


def _keys_list(asked: argparse.Namespace) -> Answer:
    keys = list_keys(Path(asked.folder) if asked.folder else places.key_folder())
    listed = [{"key": str(path), "name": key.name, "fingerprint": key.fingerprint} for path, key in keys]
    lines = tuple(f"{one['name']}  {one['fingerprint']}  {one['key']}" for one in listed)
    return Answer({"ok": True, "keys": listed}, lines or ("There are no keys yet.",))


# ---- values as JSON and as lines ----------------------------------------------------------------------------------


def _finding(finding: Any) -> dict[str, str]:
    return {name: str(getattr(finding, name)) for name in ("check", "severity", "stage", "where", "what", "remedy")}


def _sentences(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(f"{finding.severity}: {finding.sentence}" for finding in findings)


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "sequence": entry.sequence, "time": entry.time, "kind": entry.kind, "by": entry.by, "about": entry.about,
        "account": entry.account.title if entry.account else None, "epsilon": exact_text(entry.epsilon),
        "delta": exact_text(entry.delta), "release": entry.release, "hash": entry.hash,
    }  # fmt: skip


def _cell_counts(plan: ReleasePlan) -> dict[str, int]:
    return {table.name: grid.size for table in plan.tables if (grid := grid_of(plan, table))}


def _offer(offer: Offer) -> dict[str, Any]:
    return {
        "mechanism": offer.name, "title": offer.title, "statistics": sorted(offer.kinds), "claims": served_by(offer),
        "protections": sorted(served_by(offer)), "margin_publishable": offer.publishes_margin, "reason": offer.reason,
        "method_sheet": offer.method_sheet,
    }  # fmt: skip


def _candidate(part: Allotment, one: Candidate) -> dict[str, Any]:
    return {
        "table": part.table.name, "statistic": part.statistic.title, "epsilon": exact_text(part.epsilon),
        "mechanism": one.offer.name, "title": one.offer.title, "admissible": one.is_admissible,
        "chosen": one == part.choice, "reason": one.reason,
        "smallest_epsilon": one.smallest_epsilon and exact_text(one.smallest_epsilon),
        "margin_publishable": one.offer.publishes_margin, **_promised(part, one.mechanism),
    }  # fmt: skip


def _promised(part: Allotment, mechanism: Mechanism | None) -> dict[str, Any]:
    """What an admissible mechanism would do in typical cells, from public facts; nothing for the others."""
    if mechanism is None or part.brief is None:
        return dict.fromkeys(("claim", "spends", "noise", "expected_error", "bias", "error_95", "margin_95"))
    law, step, promise = mechanism.error(part.brief.typical_sizes()), part.brief.step, mechanism.guarantee
    steps = mechanism.margin()
    return {
        "claim": promise.claim,
        "spends": {"epsilon": exact_text(promise.epsilon), "delta": exact_text(promise.delta),
                   "rho": promise.rho and exact_text(promise.rho)},
        "noise": mechanism.scale_words,
        "expected_error": float(law.expected.mean() * step), "bias": float(law.bias.mean() * step),
        "error_95": float(law.quantile(0.95).mean() * step),
        "margin_95": None if steps is None else float(steps * step),
    }  # fmt: skip


def _candidate_line(part: Allotment, one: Candidate) -> str:
    error = f" Expected error {one.expected_error:,.3g}." if one.is_admissible else ""
    fits = "chosen" if one == part.choice else "fits" if one.is_admissible else "does not fit"
    return f"{part.title}: {one.offer.title} {fits}.{error} {one.reason}"


def _curve(curve: AccuracyCurve) -> dict[str, Any]:
    return {
        "ok": True, "metric": curve.metric, "unit": curve.unit, "source": curve.source, "looked_at": curve.source_words,
        "epsilon": curve.epsilon_now and exact_text(curve.epsilon_now), "sentence": curve.sentence,
        "epsilons": [exact_text(epsilon) for epsilon in curve.epsilons],
        "lines": [{"table": line.table, "statistic": line.statistic, "unit": line.unit,
                   "mechanism": line.mechanism, "now": line.now,
                   "values": [None if isnan(value) else value for value in line.values]} for line in curve.lines],
    }  # fmt: skip


def _curve_lines(curve: AccuracyCurve) -> tuple[str, ...]:
    return tuple(
        f"  {line.table}, ε = {exact_text(epsilon)}: {value_words(curve, value, line.unit)}"
        for line in curve.lines
        for epsilon, value in zip(curve.epsilons, line.values, strict=True)
    )


def _solved_words(target: str, solved: Fraction | None) -> str:
    if solved is None:
        return f"No epsilon within the policy meets {target}. Coarser keys or fewer statistics would help."
    return f"{target} needs ε = {exact_text(solved)}."


def _save_chart(curve: AccuracyCurve, path: Path) -> None:
    from workbench.preview.charts import save_accuracy_chart

    save_accuracy_chart(curve, path)


def _existing_ledger(asked: argparse.Namespace) -> Any:
    from contextlib import nullcontext

    return workflow.open_ledger(asked.ledger, create=False) if _has_ledger(asked.ledger) else nullcontext()


def _has_ledger(url: str) -> bool:
    return "://" in url or Path(url).exists()


def _own_key(asked: argparse.Namespace) -> SigningKey:
    if asked.key is None:
        raise MissingKey("none given")
    return load_key(Path(asked.key), _passphrase(asked))


def _passphrase(asked: argparse.Namespace, is_new: bool = False) -> str:
    if asked.passphrase_file:
        try:
            return Path(asked.passphrase_file).read_text(encoding="utf-8").rstrip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise WorkbenchError("The passphrase file cannot be read.", "Check its name.") from error
    if PASSPHRASE in os.environ:
        return os.environ[PASSPHRASE]
    if not sys.stdin.isatty():
        raise WorkbenchError("A passphrase is needed.", f"Give --passphrase-file or set {PASSPHRASE}.")
    first = getpass.getpass("Passphrase: ")
    if is_new and getpass.getpass("Once more: ") != first:
        raise WorkbenchError("The two passphrases differ.", "Try again.")
    return first


# ---- the words of the command line --------------------------------------------------------------------------------


def _epsilons(text: str) -> tuple[Fraction, ...]:
    try:
        values = tuple(parse_exact(part) for part in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if not all(0 < value <= 1000 for value in values):
        raise argparse.ArgumentTypeError("epsilons lie above 0 and at most 1000")
    return values


def _audited(text: str) -> str:
    from workbench.privacy.audits.table import NAMES

    if text not in NAMES:
        raise argparse.ArgumentTypeError(f"no mechanism is called “{text}”; choose one of {', '.join(NAMES)}")
    return text


def _row_number(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("a row is a whole number from 1")
    return int(text)


def _delimiter(text: str) -> str:
    delimiter = "\t" if text in ("\\t", "tab") else text
    if len(delimiter) != 1:
        raise argparse.ArgumentTypeError("a delimiter is one character")
    return delimiter


def _seed(text: str) -> int:
    if not text.isdigit():
        raise argparse.ArgumentTypeError("a seed is a whole number of at least 0")
    return int(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="workbench", description="Release tables from confidential spreadsheets.")
    parser.add_argument("--version", action="version", version=f"workbench {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")

    def command(name: str, run: Run, words: str, under: Any = None) -> argparse.ArgumentParser:
        one: argparse.ArgumentParser = (under or commands).add_parser(name, help=words, description=words)
        one.set_defaults(command=run)
        one.add_argument("--json", action="store_true", help="one JSON document on standard output")
        return one

    gui = command("gui", _open_window, "open the window")
    gui.add_argument("plan", nargs="?", help="a plan to open")
    _inspect_options(command("inspect", _inspect, "what the data room sees in a file"))
    new = command("new", _new, "a first plan for a file, decisions left open")
    new.add_argument("file")
    new.add_argument("--sheet")
    new.add_argument("--out", metavar="PLAN")
    check = command("check", _check, "all findings: plan, data, policy, budget")
    check.add_argument("plan")
    _ledger_option(check)
    mechanisms = command("mechanisms", _mechanisms, "mechanisms, and for a plan which fit each statistic and why")
    mechanisms.add_argument("plan", nargs="?")
    audit = command("audit", _audit, "the self-test: each mechanism against its claimed privacy, distribution, error")
    audit.add_argument("mechanism", nargs="?", type=_audited, help="one mechanism alone; all of them otherwise")
    _preview_options(command("preview", _preview, "accuracy against epsilon, before spending"))
    _release_options(command("release", _release, "the irreversible step, or its rehearsal"))
    report = command("report", _report, "write the public files of a stored draw again")
    report.add_argument("bundle")
    _key_options(report)
    verify = command("verify", _verify, "check every file and signature of a bundle")
    verify.add_argument("bundle")
    verify.add_argument("--trust", metavar="FILE", help="trusted public keys")
    ledger = commands.add_parser("ledger", help="the budget book").add_subparsers(required=True, metavar="act")
    _ledger_option(command("list", _ledger_list, "accounts and entries", ledger))
    _ledger_option(command("verify", _ledger_verify, "recompute the whole chain", ledger))
    keys = commands.add_parser("keys", help="signing keys").add_subparsers(required=True, metavar="act")
    create = command("new", _keys_new, "create a signing key", keys)
    create.add_argument("name", help="whose key it is")
    create.add_argument("--folder")
    create.add_argument("--passphrase-file")
    command("list", _keys_list, "keys on this machine", keys).add_argument("--folder")
    return parser


def _inspect_options(inspect: argparse.ArgumentParser) -> None:
    inspect.add_argument("file")
    inspect.add_argument("--sheet")
    inspect.add_argument("--header-row", type=_row_number, metavar="N", help="the first row of the header")
    inspect.add_argument("--header-rows", type=int, choices=range(1, MOST_HEADER_ROWS + 1), help="how many rows it has")
    inspect.add_argument("--last-row", type=_row_number, metavar="N", help="the rows after it are notes")
    inspect.add_argument("--encoding", choices=ENCODINGS)
    inspect.add_argument("--delimiter", help="of a text file; tab is written \\t", type=_delimiter)
    inspect.add_argument("--decimal", type=Decimal, choices=list(Decimal))
    inspect.add_argument("--hidden", type=Hidden, choices=list(Hidden), default=Hidden.REFUSE)


def _preview_options(preview: argparse.ArgumentParser) -> None:
    preview.add_argument("plan")
    preview.add_argument("--metric", choices=[str(metric) for metric in Metric], default=Metric.SHARE_WITHIN.value)
    preview.add_argument("--epsilons", type=_epsilons, default=DEFAULT_EPSILONS, metavar="0.1,0.5,1")
    preview.add_argument("--confidential", action="store_true", help="look at the true cells; the look is logged")
    preview.add_argument("--chart", metavar="FILE.png")
    preview.add_argument("--solve", metavar="TARGET", help="such as share-within:0.1>=0.9")
    _ledger_option(preview)


def _release_options(release: argparse.ArgumentParser) -> None:
    release.add_argument("plan")
    release.add_argument("--out", required=True, metavar="DIR")
    release.add_argument("--rehearsal", action="store_true", help="spend nothing; not for publication")
    release.add_argument("--seed", type=_seed, help="repeatable noise, for a rehearsal only")
    _ledger_option(release)
    _key_options(release)


def _ledger_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ledger", metavar="URL", default=str(places.default_ledger()))


def _key_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--key", metavar="FILE")
    parser.add_argument("--passphrase-file", metavar="FILE")
