"""`manage.py verify_document FILE.pdf [--json] [--root ROOT.pem]`: offline; 0 good, 1 not, 2 bad use."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from submissions.documents.signing_keys import root_file
from submissions.documents.verify import Verification, verify_isolated


class Command(BaseCommand):
    help = "Verify the seal of a signed Rules Submission, without network or database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the signed PDF")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--root", type=Path, help="the root certificate to trust (PEM); default: this portal's")

    def handle(self, *args: Any, **options: Any) -> None:
        path, root = Path(options["file"]), options["root"] or root_file()
        for needed in (path, root):
            if not needed.is_file():
                self.stderr.write(f"{needed} is not a file. Use: manage.py verify_document FILE.pdf")
                sys.exit(2)
        verification = verify_isolated(path.read_bytes(), root)
        self.stdout.write(
            json.dumps(verification.as_json(), indent=2)
            if options["json"]
            else verification_text(path.name, verification)
        )
        sys.exit(0 if verification.good else 1)


def verification_text(name: str, verification: Verification) -> str:
    if verification.good:
        return f"{name}: good. Sealed by {verification.signed_by} at {verification.signed_at}; unchanged since."
    return "\n".join([f"{name}: NOT verified.", *(f"  - {problem}" for problem in verification.problems)])
