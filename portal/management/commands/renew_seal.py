"""`manage.py renew_seal [--yes]`: sign with the certificate that the settings name from now on.

What earlier certificates sealed stays good. Every worker that still has the keys of an earlier one refuses to sign.
"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from portal.checks import SERVICE_TAG
from submissions.core.errors import Refusal
from submissions.documents.seal_certificate import subject_text
from submissions.documents.seal_conditions import introduce_seal, newest_seal
from submissions.documents.signing_keys import listed_seals, seal_file, settings_seal, uses_demo_keys


class Command(BaseCommand):
    help = "Introduce the seal certificate of the settings: the portal signs with it from now on."
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--yes", action="store_true", help="do not ask for confirmation")

    def handle(self, *args: Any, yes: bool, **options: Any) -> None:
        seal, before = settings_seal(), newest_seal()
        if before and before.sha256 == seal.sha256:
            self.stdout.write(f"The portal signs with this certificate already: SHA-256 {seal.sha256}")
            return
        if before:
            self.stdout.write(f"now        {before.subject}, SHA-256 {before.sha256}")
        self.stdout.write(f"from now   {subject_text(seal.signer.signing_cert)}, SHA-256 {seal.sha256}")
        if not yes and not _confirmed():
            raise CommandError("Nothing was changed. Answer “yes” to introduce the certificate, or use --yes.")
        try:
            introduce_seal(seal.signer.signing_cert)
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix}") from None
        self.stdout.write("introduced: restart the workers that still have the keys of the earlier certificate")
        if before and not uses_demo_keys() and before.sha256 not in listed_seals():
            self.stderr.write(
                f"The earlier certificate, SHA-256 {before.sha256}, is not in {seal_file()}: `verify_document`, which "
                "does not ask the database, would refuse what it sealed. Add it there."
            )


def _confirmed() -> bool:
    try:
        return input("Introduce it? [yes/no] ").strip().lower() == "yes"
    except EOFError:
        return False
