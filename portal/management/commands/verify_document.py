"""`manage.py verify_document FILE.pdf [--root ROOT.pem --seals SEALS.pem] [--log-key KEY] [--json]`: offline; 0 good, 1
not, 2 bad use.

By default root, seals and the key of the public log are this portal's. With another root, its seals must be named too:
without them nobody knows whose seal it is, and no file is good.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand

from submissions.documents.log_proof import LogProof, check_log_proof_isolated
from submissions.documents.seal_certificate import certificates, fingerprints
from submissions.documents.signing_keys import root_file, seal_file
from submissions.documents.verify import Verification, verify_isolated
from submissions.transparency.log_key import log_verifier
from submissions.transparency.signed_note import InvalidNote, NoteKey, read_key

NOT_CHECKED = "The proof of the public log was not checked. Name the log's key with --log-key."


class Command(BaseCommand):
    help = "Verify the seal of a signed Rules Submission, without network or database."
    requires_system_checks: list[str] = []  # anyone's machine may verify; demo keys are refused by `root_file` itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the signed PDF")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--root", type=Path, help="the root certificate to trust (PEM); default: this portal's")
        parser.add_argument(
            "--seals", type=Path, help="the accepted seal certificates (PEM); default, without --root: this portal's"
        )
        parser.add_argument("--log-key", default="", help="the public log's key; default: this portal's")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            root, seals = _trusted(options["root"], options["seals"])
            key = _log_key(options["log_key"], foreign=bool(options["root"]))
            content = _existing(path).read_bytes()
        except (BadUse, ImproperlyConfigured, InvalidNote) as problem:
            self.stderr.write(f"{problem} Use: manage.py verify_document FILE.pdf [--root ROOT.pem --seals SEALS.pem]")
            sys.exit(2)
        verification = verify_isolated(content, root, seals)
        proof = check_log_proof_isolated(content, key) if key else NOT_CHECKED
        self.stdout.write(
            json.dumps(
                {**verification.as_json(), "log": asdict(proof) if isinstance(proof, LogProof) else None}, indent=2
            )
            if options["json"]
            else f"{verification_text(path.name, verification)}\n{proof}"
        )
        sys.exit(0 if verification.good and not (isinstance(proof, LogProof) and proof.problem) else 1)


class BadUse(Exception):
    """A file that was named cannot be used."""


def verification_text(name: str, verification: Verification) -> str:
    if verification.good:
        return f"{name}: good. Sealed by {verification.signed_by} at {verification.signed_at}; unchanged since."
    codes = f" ({', '.join(verification.codes)})" if verification.codes else ""
    lines = [f"{name}: NOT verified{codes}.", *(f"  - {problem}" for problem in verification.problems)]
    if verification.codes:
        lines.append(f"  - The SHA-256 of the signer's certificate is {verification.signer_sha256}.")
    return "\n".join(lines)


def _trusted(root: Path | None, seals: Path | None) -> tuple[Path, frozenset[str]]:
    """The root file and the fingerprints of the seals; none with a root of the caller's and no seals."""
    if root and not seals:
        return _existing(root), frozenset()
    path = _existing(seals or seal_file())
    try:
        return _existing(root or root_file()), fingerprints(certificates(path))
    except ValueError as error:
        raise BadUse(f"{path} is not a PEM file of certificates ({error}).") from error


def _log_key(text: str, *, foreign: bool) -> NoteKey | None:
    """The key of the public log: the named one; else this portal's, unless the root is another portal's."""
    if text:
        return read_key(text)
    return None if foreign else log_verifier()


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise BadUse(f"{path} is not a file.")
    return path
