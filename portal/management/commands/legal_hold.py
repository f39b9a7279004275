"""`manage.py legal_hold`: lists the present legal holds, places one, or lifts one; 0 done, 2 refused."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from portal.checks import SERVICE_TAG
from submissions.audit.retention import lift_legal_hold, place_legal_hold, present_legal_holds, retention_rules
from submissions.core.errors import Refusal
from submissions.models import LegalHold, Organization, Person, Submission

REFUSED = 2  # exit status


class Command(BaseCommand):
    help = (
        "List the legal holds and the rules of retention; place a hold on a licensee, a submission or everything, or "
        "lift one. What a hold covers is not deleted until it is lifted."
    )
    requires_system_checks = [SERVICE_TAG]

    def add_arguments(self, parser: ArgumentParser) -> None:
        scope = parser.add_mutually_exclusive_group()
        scope.add_argument("--licensee", metavar="SLUG", help="place a hold on a licensee and all its filings")
        scope.add_argument("--submission", metavar="NUMBER", help="place a hold on a submission: RS-2026-00001")
        scope.add_argument("--everything", action="store_true", help="place a hold on everything")
        scope.add_argument("--lift", metavar="NUMBER", help="lift this hold: LH-2026-00001")
        parser.add_argument("--by", metavar="ADDRESS", help="the administrator of the Board who does it")
        parser.add_argument("--reason", default="", help="why")

    def handle(self, *args: Any, **options: Any) -> None:
        if not any(options[name] for name in ("licensee", "submission", "everything", "lift")):
            self._list()
            return
        try:
            self._act(options)
        except Refusal as refusal:
            raise CommandError(f"{refusal.message} {refusal.fix}".strip(), returncode=REFUSED) from None

    def _act(self, options: dict[str, Any]) -> None:
        actor = _named(Person.objects.filter(email=options["by"] or "", is_active=True), "--by", options["by"])
        if options["lift"]:
            row = _named(LegalHold.objects.filter(number=options["lift"]), "--lift", options["lift"])
            lift_legal_hold(actor, row, options["reason"])
            self.stdout.write(f"{row.number} is lifted: {row.scope}")
            return
        slug, number = options["licensee"], options["submission"]
        licensees = Organization.objects.filter(slug=slug or "", kind=Organization.Kind.LICENSEE)
        row = place_legal_hold(
            actor,
            options["reason"],
            organization=_named(licensees, "--licensee", slug) if slug else None,
            submission=_named(Submission.objects.filter(number=number), "--submission", number) if number else None,
        )
        self.stdout.write(f"{row.number} is placed: {row.scope}")

    def _list(self) -> None:
        for row in present_legal_holds():
            at = timezone.localtime(row.at)
            self.stdout.write(f"{row.number}  {row.scope}, since {at:%Y-%m-%d %H:%M} by {row.by.name}: {row.reason}")
        if not present_legal_holds().exists():
            self.stdout.write("There are no legal holds.")
        for rule in retention_rules():
            days, setting = (
                f"{rule.days} days after" if rule.days else "at",
                f" ({rule.setting})" if rule.setting else "",
            )
            self.stdout.write(f"  {rule.what}: deleted {days} {rule.moment}{setting}")


def _named(rows: Any, option: str, value: str | None) -> Any:
    """Return the only row; an error names the option and its value."""
    row = rows.first()
    if row is None:
        raise CommandError(f"{option} {value or '(nothing)'} does not exist. Nothing was changed.", returncode=REFUSED)
    return row
