"""VERIFY.txt: how an outsider checks a release with a shell and OpenSSL, without this program."""

from __future__ import annotations

import re
from collections.abc import Sequence

from workbench.report.keys import PublicKey

VERIFY_FILE = "VERIFY.txt"

# Lines that begin with four blanks are commands, and nothing else is: a test runs them as they stand.
_PAGE = r"""HOW TO CHECK THE RELEASE @release_id@
@warning@
You can check that every file of this release is as it was signed, and who signed it. Release Workbench does it with
"workbench verify". This page does the same without that program, on any machine with a bash shell, OpenSSL 3 and
sha256sum: Linux; Windows with WSL or Git Bash; a Mac with the packages openssl and coreutils.

Open the shell in the folder that holds this file. Copy the lines that begin with four blanks, in order.

WHO SIGNED

@signers@

Compare each fingerprint with one that you did not get together with these files: by phone, from the agency's web
site, from a letter. Whoever can change these files can also change this page and the keys beside it, but not what
you are told on the phone.

1. TAKE THE SIGNED STATEMENT OUT OF ITS ENVELOPE

    check=$(mktemp -d)
    sed -n 's/^  "payload": "\(.*\)",$/\1/p' release.dsse.json | base64 -d > "$check/payload.json"

2. BUILD THE BYTES THAT WERE SIGNED

They are a short header with the length of the statement, then the statement itself.

    printf 'DSSEv1 28 application/vnd.in-toto+json %d ' $(wc -c < "$check/payload.json") > "$check/pae.bin"
    cat "$check/payload.json" >> "$check/pae.bin"

3. CHECK EACH SIGNATURE

The lines fetch the public key and the signature, let OpenSSL compare them with the bytes that were signed, and
compute the fingerprint from the key. You must read "Signature Verified Successfully" and the fingerprint that you
were told. Anything else means that the release must not be trusted.

@checks@

4. COMPARE EVERY FILE WITH THE STATEMENT

Every line must end in "OK". A file that does not was altered or is missing.

    sed -n '/^  "subject"/,$p' "$check/payload.json" > "$check/subject.txt"
    sed -n -e '/"sha256":/{s/.*: "\(.*\)"$/\1/;h;}' -e '/"name":/{s/.*: "\(.*\)"$/  \1/;H;x;s/\n//;p;}' \
        "$check/subject.txt" > "$check/files.sha256"
    sha256sum --check --strict "$check/files.sha256"

5. LOOK FOR FILES THAT WERE ADDED

Nothing must be printed. A name that is printed belongs to a file that nobody signed.

    find . ! -type d ! -path ./release.dsse.json | sed 's/^..//' | sort > "$check/found.txt"
    cut -c 67- "$check/files.sha256" | sort | comm -13 - "$check/found.txt"

6. READ WHETHER IT IS A RELEASE OR A REHEARSAL

You must read "live". A rehearsal is practice: it is no publication of the agency, and anyone can sign one.

    sed -n 's/^    "mode": //p' "$check/payload.json"
"""

_WARNING = """
THIS IS A REHEARSAL, NOT A RELEASE. Its signature shows only that the files belong together.
"""

_SIGNER = """  @name@
  fingerprint @fingerprint@ (@algorithm@)
  key id @key_id@"""

_CHECK = r"""@name@:

    id=@key_id@
    pem=$(sed -n '/"key_id": "'$id'"/,/"pem"/s/.*"pem": "\(.*\)"$/\1/p' public_keys.json)
    printf '%b' "$pem" > "$check/key.pem"
    sed -n '/"keyid": "'$id'"/,/"sig"/s/.*"sig": "\(.*\)"$/\1/p' release.dsse.json | base64 -d > "$check/sig.bin"
    openssl pkeyutl -verify -pubin -inkey "$check/key.pem" -rawin -in "$check/pae.bin" -sigfile "$check/sig.bin"
    openssl pkey -pubin -in "$check/key.pem" -outform DER | sha256sum | cut -c 1-16 | tr a-f A-F | sed 's/..../& /g'"""


def verify_text(release_id: str, signers: Sequence[PublicKey], is_rehearsal: bool = False) -> str:
    """The page for one release; it holds no digest, because it is itself among the files that are signed."""
    return _fill(
        _PAGE,
        release_id=release_id,
        warning=_WARNING if is_rehearsal else "",
        signers="\n\n".join(_fill_signer(_SIGNER, key) for key in signers),
        checks="\n\n".join(_fill_signer(_CHECK, key) for key in signers),
    )


def _fill_signer(text: str, key: PublicKey) -> str:
    return _fill(text, name=key.name, fingerprint=key.fingerprint, algorithm=key.algorithm, key_id=key.key_id)


def _fill(text: str, **words: str) -> str:
    """Replace each @word@ once; braces and dollars belong to the shell."""
    return re.sub(r"@(\w+)@", lambda place: words[place[1]], text)
