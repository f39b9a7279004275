"""`manage.py verify_document FILE.pdf [--root ROOT.pem --seals SEALS.pem] [--json]`: offline; 0 good, 1 not, 2 bad use.

By default root and seals are this portal's. With another root, its seals must be named too: without them nobody knows
whose seal it is, and no file is good.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from asn1crypto import x509
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand

from games.commands import BadUse
from submissions.documents.checkpoints import check_paper_isolated
from submissions.documents.seal_certificate import certificates, fingerprints
from submissions.documents.signing_keys import root_file, seal_file
from submissions.documents.verify import Verification, verify_isolated


class Command(BaseCommand):
    help = "Verify the seal of a signed document and the checkpoint in it, without network or database."
    requires_system_checks: list[str] = []  # anyone's machine may verify; demo keys are refused by `root_file` itself

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the signed PDF")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--root", type=Path, help="the root certificate to trust (PEM); default: this portal's")
        parser.add_argument(
            "--seals", type=Path, help="the accepted seal certificates (PEM); default, without --root: this portal's"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            root, seals = _trusted(options["root"], options["seals"])
            content = _existing(path).read_bytes()
        except (BadUse, ImproperlyConfigured) as problem:
            self.stderr.write(f"{problem} Use: manage.py verify_document FILE.pdf [--root ROOT.pem --seals SEALS.pem]")
            sys.exit(2)
        verification = verify_isolated(content, root, seals)
        paper = check_paper_isolated(content, certificates(root), seals)
        self.stdout.write(
            json.dumps({**verification.as_json(), "history": asdict(paper)}, indent=2)
            if options["json"]
            else f"{verification_text(path.name, verification)}\n{paper}"
        )
        sys.exit(0 if verification.good and paper.good else 1)


def verification_text(name: str, verification: Verification) -> str:
    if verification.good:
        return f"{name}: good. Sealed by {verification.signed_by} at {verification.signed_at}; unchanged since."
    codes = f" ({', '.join(verification.codes)})" if verification.codes else ""
    lines = [f"{name}: NOT verified{codes}.", *(f"  - {problem}" for problem in verification.problems)]
    if verification.codes:
        lines.append(f"  - The SHA-256 of the signer's certificate is {verification.signer_sha256}.")
    return "\n".join(lines)


def _trusted(root: Path | None, seals: Path | None) -> tuple[Path, frozenset[str]]:
    """Return the root file and the fingerprints of the seals; none with a root of the caller's and no seals."""
    trusted = _existing(root or root_file())
    _certificates(trusted)
    if root and not seals:
        return trusted, frozenset()
    return trusted, fingerprints(_certificates(_existing(seals or seal_file())))


def _certificates(path: Path) -> tuple[x509.Certificate, ...]:
    try:
        return certificates(path)
    except ValueError as error:
        raise BadUse(f"{path} is not a PEM file of certificates ({error}).") from error


def _existing(path: Path) -> Path:
    if not path.is_file():
        raise BadUse(f"{path} is not a file.")
    return path
