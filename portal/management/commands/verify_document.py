"""`manage.py verify_document FILE.pdf [--json] [--root ROOT.pem] [--log-key KEY]`: offline; 0 good, 1 not, 2 bad
use.
"""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from submissions.documents.log_proof import check_log_proof_isolated
from submissions.documents.signing_keys import root_file
from submissions.documents.verify import Verification, verify_isolated
from submissions.transparency.log_key import log_verifier
from submissions.transparency.signed_note import InvalidNote, read_key


class Command(BaseCommand):
    help = "Verify the seal of a signed Rules Submission, without network or database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="the signed PDF")
        parser.add_argument("--json", action="store_true", help="print the result as JSON")
        parser.add_argument("--root", type=Path, help="the root certificate to trust (PEM); default: this portal's")
        parser.add_argument("--log-key", default="", help="the public log's key; default: this portal's")

    def handle(self, *args: Any, **options: Any) -> None:
        path, root = Path(options["file"]), options["root"] or root_file()
        for needed in (path, root):
            if not needed.is_file():
                self.stderr.write(f"{needed} is not a file. Use: manage.py verify_document FILE.pdf")
                sys.exit(2)
        try:
            key = read_key(options["log_key"]) if options["log_key"] else log_verifier()
        except InvalidNote as error:
            self.stderr.write(str(error))
            sys.exit(2)
        content = path.read_bytes()
        verification, proof = verify_isolated(content, root), check_log_proof_isolated(content, key)
        self.stdout.write(
            json.dumps({**verification.as_json(), "log": asdict(proof)}, indent=2)
            if options["json"]
            else f"{verification_text(path.name, verification)}\n{proof}"
        )
        sys.exit(0 if verification.good and proof.good else 1)


def verification_text(name: str, verification: Verification) -> str:
    if verification.good:
        return f"{name}: good. Sealed by {verification.signed_by} at {verification.signed_at}; unchanged since."
    return "\n".join([f"{name}: NOT verified.", *(f"  - {problem}" for problem in verification.problems)])
