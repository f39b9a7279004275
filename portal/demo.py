"""The demonstration: organizations and people that do not exist, their table lists, an API key, and one example filing.

The people are a regulator's and two casinos', named by what they do. The API key is a new one at each start, because
only its digest is stored. The example is one High Card Flush filing, from the empty checklist to the signed PDF and its
layout, as pages would do it. The chapter's rules are final and their text is complete, so the first filing that a
visitor sees needs no reservation. Every step looks at the state of the filing: an interrupted demo continues from
there. The simulation and the document are made by the real workers; here they are only waited for.
"""

import json
import secrets
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from games.checking.chapter_files import EXAMPLE
from games.registry import folder_of
from submissions.accounts import api_credentials
from submissions.accounts.members import too_few_administrators
from submissions.audit.record import record_event
from submissions.filings import drafts, filing
from submissions.filings.review import decisions
from submissions.filings.tables.table_lists import TableRow, change_table_list, last_entry
from submissions.layouts import layout_filings as filings
from submissions.layouts import uploaded_drawings
from submissions.models import (
    SCOPES_OF,
    Credential,
    Document,
    Job,
    LayoutFiling,
    LayoutStatus,
    Organization,
    Part,
    Person,
    Role,
    Simulation,
    Status,
    Submission,
    TableState,
)

LICENSEE, REGULATOR = Organization.Kind.LICENSEE, Organization.Kind.REGULATOR
ORGANIZATIONS = (
    (REGULATOR, "board", "Demo Gaming Control Board"),
    (LICENSEE, "east", "Demo Casino East"),
    (LICENSEE, "west", "Demo Casino West"),
)
PEOPLE = {
    LICENSEE: {"preparer": Role.PREPARER, "manager": Role.MANAGER, "reader": Role.READER},
    REGULATOR: {"analyst": Role.ANALYST, "director": Role.DIRECTOR, "second-director": Role.DIRECTOR},
}
COMPANY = "Demo Gaming Company"  # of both casinos
OF_BOTH = "compliance@east.example.test"  # signs in at East and acts for West as well
ADMINISTRATORS = ("manager", "preparer", "director", "second-director")  # two in each organization


def create_cast() -> list[Person]:
    """Return the cast, made where it is missing: all sign in with the demo's passphrase, on every machine."""
    with transaction.atomic():
        for kind, slug, name in ORGANIZATIONS:
            organization, is_new = Organization.objects.get_or_create(slug=slug, defaults={"kind": kind, "name": name})
            people = [_person(word, role, organization) for word, role in PEOPLE[kind].items()]
            if rows := [*([organization] if is_new else []), *filter(None, people)]:
                after = {"organisation": organization.pk, "name": name, "kind": kind}
                record_event(None, None, "founded", after=after, seals=rows)
        _of_both()
    slugs = [slug for _, slug, _ in ORGANIZATIONS]
    return list(Person.objects.filter(account=None, is_system=False, organization__slug__in=slugs).order_by("pk"))


def _of_both() -> None:
    """Add someone who acts for both casinos of one company: files for East, prepares for West."""
    if Person.objects.filter(email=OF_BOTH).exists():
        return
    Organization.objects.filter(slug__in=("east", "west")).update(company=COMPANY)
    east, west = (Organization.objects.get(slug=slug) for slug in ("east", "west"))
    create = Person.objects.create_user
    name = "Demo Compliance Officer"
    account = create(OF_BOTH, settings.DEMO_PASSPHRASE, name=name, organization=east, role=Role.MANAGER)
    address = f"{secrets.token_hex(8)}@memberships.invalid"
    there = create(address, None, name=name, account=account, organization=west, role=Role.PREPARER)
    after = {"name": account.name, "company": COMPANY}
    record_event(None, None, "founded", after=after, seals=(east, west, account, there))


def has_people() -> bool:
    """Return whether the portal knows anyone; also in a database without tables."""
    return Person._meta.db_table in connection.introspection.table_names() and Person.objects.exists()


def person(word: str, slug: str) -> Person:
    return Person.objects.get(email=f"{word}@{slug}.example.test")


def _person(word: str, role: Role, organization: Organization) -> Person | None:
    """Return the person, if the row was created or changed."""
    email, administrator = f"{word}@{organization.slug}.example.test", word in ADMINISTRATORS
    person = Person.objects.filter(email=email).first()
    if person is None:
        place = "" if organization.kind == REGULATOR else f" {organization.name.split()[-1]}"
        name = f"Demo {word.replace('-', ' ').title()}{place}"  # beside it is the role, “Table Games Manager”
        place_there = {"organization": organization, "role": role, "administrator": administrator}
        return Person.objects.create_user(email, settings.DEMO_PASSPHRASE, name=name, **place_there)
    if administrator and not person.administrator and too_few_administrators(organization):  # an older demo
        person.administrator = True
        person.save(update_fields=["administrator"])
        return person
    return None


LISTS = {  # casino → its tables: number, game, pit
    "east": (
        ("1", "683a", "1"), ("2", "683a", "1"), ("12", "678a", "2"), ("14", "678a", "2"), ("15", "678a", "2"),
        ("16", "678a", "2"), ("21", "678a", "3"), ("22", "686a", "3"), ("23", "590", "3"),
    ),
    "west": (("1", "683a", "Main"), ("2", "687a", "Main"), ("3", "655a", "Main")),
}  # fmt: skip
CLOSED = {"east": "16", "west": "3"}
CHANGES = timedelta(days=7)  # from now, East's table 2 offers the game of table 12


def enter_table_lists() -> None:
    """Enter each casino's list, by its manager, where it has none yet."""
    today = timezone.localdate()
    for slug, tables in LISTS.items():
        manager = person("manager", slug)
        if manager.organization is None or last_entry(manager.organization):
            continue
        states = {CLOSED[slug]: TableState.CLOSED}
        rows = [TableRow(number, game, states.get(number), {"pit": pit}) for number, game, pit in tables]
        change_table_list(manager, rows, from_day=today)
        if slug == "east":
            change_table_list(manager, [TableRow("2", "678a")], from_day=today + CHANGES)


API_KEY_NAME = "First call"


def issue_api_key() -> str:
    """Revoke the key of the previous start; return a new one of Demo Casino East with every scope of a licensee."""
    manager = person("manager", "east")
    for old in Credential.objects.filter(organization=manager.organization, name=API_KEY_NAME, revoked_at=None):
        api_credentials.revoke_credential(manager, old, reason="The demonstration started again")
    issued = api_credentials.issue_credential(
        manager,
        name=API_KEY_NAME,
        scopes=SCOPES_OF[Organization.Kind.LICENSEE],
        live=True,
        expires_at=timezone.now() + timedelta(days=30),
    )
    return issued.token


CHAPTER = "678a"
ANSWERS = folder_of(CHAPTER) / EXAMPLE
LONGEST_WAIT = 600  # seconds without any progress

Say = Callable[[str], None]


class Stuck(Exception):
    """The filing does not get on; the message says why."""


def carry_example(say: Say) -> Path:
    """Return the signed PDF of the example, as a file; `say` is called with every step."""
    submission = _draft(say)
    if submission.status == Status.DRAFT:
        manager = person("manager", "east")
        revision = filing.file_submission(manager, submission, version=submission.version, attested=True)
        say(f"filed by the {manager.name}: receipt {revision.receipt}, SHA-256 {revision.sha256[:12]}…")
    submission.refresh_from_db()
    if submission.status == Status.FILED:
        _wait_for_simulation(submission, say)
        decisions.recommend_approval(person("analyst", "board"), submission, version=submission.version)
        say("recommended by the Analyst")
    submission.refresh_from_db()
    if submission.status == Status.RECOMMENDED:
        director = person("director", "board")
        decisions.approve_submission(director, submission, version=submission.version, confirmed=True)
        say("approved by the Director")
    path = _signed(submission, say)
    file_layout(submission, lambda kind, subject: _wait(kind, subject, say), say)
    return path


def _draft(say: Say) -> Submission:
    """Return the example's submission: the first one that the demo's preparer began for this chapter."""
    preparer = person("preparer", "east")
    existing = Submission.objects.filter(created_by=preparer, chapter=CHAPTER).exclude(status=Status.WITHDRAWN)
    if first := existing.order_by("pk").first():
        return first
    submission = drafts.start_submission(preparer, CHAPTER)
    answers = json.loads(ANSWERS.read_text(encoding="utf-8"))
    drafts.save_answers(preparer, submission, answers, strict=True)
    say(f"{submission.number} · High Card Flush, § {CHAPTER}: {len(answers)} lines answered by the Preparer")
    return submission


def _wait_for_simulation(submission: Submission, say: Say) -> None:
    revision = submission.revisions.latest("number")
    for simulation in Simulation.objects.filter(revision=revision):
        _wait(Job.Kind.SIMULATE, simulation.pk, say)
        simulation.refresh_from_db()
        if not simulation.passed:
            raise Stuck(f"the simulation of {revision.receipt} does not agree with the exact figures")
        say(f"{simulation.rounds:,} rounds dealt: every wager agrees with its exact figure")


def _signed(submission: Submission, say: Say) -> Path:
    revision = submission.revisions.latest("number")
    _wait(Job.Kind.DOCUMENT, revision.pk, say)
    document = Document.objects.select_related("signed").get(revision=revision)
    path = settings.VAR / "demo" / f"{revision.receipt}.pdf"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(document.signed.content))
    return path


def _wait(kind: Job.Kind, subject: int, say: Say) -> None:
    """Wait until the job has ended well; report its progress every few seconds."""
    reported, deadline = "", time.monotonic() + LONGEST_WAIT
    while True:
        job = Job.objects.get(kind=kind, subject=subject)
        if job.state == Job.State.DONE:
            return
        if job.ended:
            raise Stuck(f"{job.get_kind_display()}: {job.message or job.get_state_display()}")
        tenths = 10 * job.done_units // job.total_units if job.total_units else 0  # so that not every block is reported
        share = f", {tenths * 10} %" if job.total_units else ""
        now = f"{job.get_kind_display().lower()}: {(job.message or job.get_state_display()).lower()}{share}"
        if now != reported:
            reported, deadline = now, time.monotonic() + LONGEST_WAIT
            say(now)
        if time.monotonic() > deadline:
            raise Stuck(f"{job.get_kind_display()}: nothing happened for {LONGEST_WAIT} s; is a worker running?")
        time.sleep(1)


Wait = Callable[[Job.Kind, int], None]


def file_layout(submission: Submission, wait: Wait, say: Callable[[str], None]) -> LayoutFiling:
    """File the example's layout and return the filing; an interrupted one continues from its state."""
    manager = person("manager", "east")
    filing = submission.layout_filings.order_by("pk").first()
    if filing is None:
        filing = filings.start_layout_filing(manager, submission, 0, list(Part))
    if filing.status == LayoutStatus.DRAFT:
        drawing = filing.drawings.first() or uploaded_drawings.use_reference_drawing(manager, filing)
        wait(Job.Kind.INSPECT, drawing.pk)
        filings.file_layout(manager, filing, version=filing.version)
        say(f"{filing.number}: layout, payout sign and gaming guide filed by the {manager.name}")
    return filing
