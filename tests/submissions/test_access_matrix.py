"""Every page with an organization's object × every person of others, with what the page asks for: 404 or 403.

Name a page with an object in its address here, or the last test fails. What one's own colleagues
may do stands in `tests/submissions/web/test_access.py`.
"""

from __future__ import annotations

import hashlib

import pytest
from allauth.usersessions.models import UserSession
from django.urls import reverse
from django.utils import timezone

from submissions.accounts import stand_ins
from submissions.bulk import intake
from submissions.evidence.simulations import start_simulations
from submissions.jobs.export_files import ExportRequest, request_export
from submissions.models import (
    Batch,
    Event,
    Invitation,
    LayoutFiling,
    LayoutStatus,
    Organization,
    Person,
    Remark,
    Role,
    SavedFilter,
    Submission,
)
from submissions.notifications import webhook_endpoints
from submissions.search.exports import KIND
from submissions.web import acting
from submissions.web.access_gate import is_open_to_visitors
from submissions.web.exports import CSV
from submissions.web.urls import ADDRESSES
from tests.cast import PASSWORD, person
from tests.submissions import filing_rows as rows
from tests.submissions import layout_rows
from tests.submissions.api.clients import administrator, made
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.orders.orders import waiver
from tests.submissions.properties import membership
from tests.submissions.table_list.lists import enter
from tests.submissions.verbs import VERBS, Saying
from tests.submissions.web.clients import browser
from tests.submissions.workbench.steps import head, published, written

RULEMAKING = (
    ("rulemaking-change", ""), ("rulemaking-change-remove", ""), ("rulemaking-form", ""), ("rulemaking-trial", ""),
    ("rulemaking-trial-csv", ""), ("rulemaking-trial-pdf", ""), ("rulemaking-publish", ""), ("rulemaking-withdraw", ""),
)  # fmt: skip
REFUSED = {403, 404}
OTHERS = (
    "preparer", "manager", "reader", "administrator", "of both, acting here", "of both, acting there", "analyst",
    "director", "service_account at the Board",
)  # fmt: skip
LICENSEES = OTHERS[:6]

# address, its arguments; the Board reads what was filed, but no draft and nothing about a casino's people
SUBMISSION = (
    ("submission", ""), ("checklist", ""), ("figures", "trips_paytable"), ("groups", ""), ("group", "1"),
    ("group-remove", "1"), ("file", ""), ("receipt", ""), ("progress", ""), ("round", ""), ("document", ""),
    ("draft", ""), ("draft-of-revision", "1"), ("attachment", "0" * 64), ("decide", "recommend"), ("decide", "return"),
    ("decide", "approve"), ("decide", "reject"), ("decide", "withdraw"), ("changes", ""), ("amend", ""),
    ("discontinue", ""), ("remark", ""), ("remark-follow", "{remark}"), ("paper-draft", "0 layout svg"),
    ("layout-start", "0"), ("copy", ""), ("planned-day", ""), ("send-to-manager", ""), ("send-back", ""),
    ("delete-draft", ""), ("assign", ""),
)  # fmt: skip
LAYOUT = (
    ("layout", ""), ("layout-progress", ""), ("layout-upload", ""), ("layout-positions", ""), ("layout-inspect", ""),
    ("layout-mark", ""), ("layout-unmark", "1"), ("layout-file", ""), ("layout-withdraw", ""),
    ("layout-drawing", "{drawing}"), ("layout-picture", "{drawing} 1"), ("layout-compare", ""), ("layout-judge", ""),
    ("layout-assign", ""),
    ("layout-decide", "notify"), ("layout-decide", "recommend"), ("layout-decide", "approve"),
    ("layout-decide", "reject"),
)  # fmt: skip
OPERATIONS = (("job-run-again", ""),)
ORDERS = (("order", ""), ("order-document", ""), ("order-replace", ""), ("order-end", ""))
TABLE_LIST = (
    ("tables-of", ""), ("tables-download", "csv"), ("tables-download", "xlsx"), ("table", "12"), ("tables-qr", ""),
)  # fmt: skip
PEOPLE = (
    ("stand-in-end", "{stand_in}"),
    ("person", "{colleague}"), ("person-action", "{colleague} deactivate"), ("invitation", "{invitation} withdraw"),
    ("end-session", "{session}"), ("forget-filter", "{filter}"), ("credential", "{credential}"),
    ("credential-action", "{credential} rotate"), ("credential-action", "{credential} revoke"),
    ("webhook", "{webhook}"), ("webhook-action", "{webhook} test"), ("webhook-action", "{webhook} end"),
    ("webhook-replay", "{webhook} {delivery}"),
    ("batch", "{batch}"), ("batch-progress", "{batch}"), ("batch-result", "{batch}"),
    ("batch-result-workbook", "{batch}"), ("batch-confirm", "{batch}"),
    ("batch-discard", "{batch}"), ("equal-filings", "recommend nothing"), ("export", "{export}"),
    ("export-file", "{export}"),
)  # fmt: skip


@pytest.fixture
def others(casino: Organization, other_casino: Organization, board: Organization) -> dict[str, Person]:
    roles = {
        "preparer": (other_casino, Role.PREPARER),
        "manager": (other_casino, Role.MANAGER),
        "reader": (other_casino, Role.READER),
        "administrator": (other_casino, Role.MANAGER),
        "analyst": (board, Role.ANALYST),
        "director": (board, Role.DIRECTOR),
        "service_account at the Board": (board, Role.READER),
    }
    people = {who: person(organization, role, f"Other {who}") for who, (organization, role) in roles.items()}
    Person.objects.filter(pk__in=(people["administrator"].pk, people["director"].pk)).update(administrator=True)
    # Managers of this casino, too, who act for the other one: at home, and away from home.
    at_home, away = (person(home, Role.MANAGER, f"Of both {home.slug}") for home in (other_casino, casino))
    membership(at_home, casino, administrator=True)
    people |= {"of both, acting here": at_home, "of both, acting there": membership(away, other_casino)}
    return people


def brought_to(number: str, way: tuple[str, ...], casino: dict[str, Person]) -> Submission:
    submission = ready_to_file(casino["manager"], number)
    for verb in way:
        by = "analyst" if verb in ("remark", "return") else "manager"
        VERBS[verb](casino[by], submission, Saying(version=submission.version))
        submission.refresh_from_db()
    return submission


@pytest.mark.parametrize(
    ("way", "who"),
    [
        ((), OTHERS),
        (("regroup",), OTHERS),
        (("file", "remark"), LICENSEES),
        (("file", "remark", "return"), LICENSEES),
    ],
)
def test_submission_of_another_organization_is_not_there(
    others: dict[str, Person], manager: Person, way: tuple[str, ...], who: tuple[str, ...]
) -> None:
    submission = brought_to("686a", way, {"manager": manager, "analyst": others["analyst"]})
    remark = Remark.objects.first()
    addresses = [
        (name, f"{submission.number} {more}".format(remark=remark.pk if remark else 1)) for name, more in SUBMISSION
    ]
    refuses(addresses, [others[one] for one in who], version=submission.version)


@pytest.mark.parametrize(("status", "who"), [(LayoutStatus.DRAFT, OTHERS), (LayoutStatus.FILED, LICENSEES)])
def test_layout_of_another_organization_is_not_there(
    others: dict[str, Person], manager: Person, status: LayoutStatus, who: tuple[str, ...]
) -> None:
    rules = rows.filing(manager, "682a")
    layout = LayoutFiling.objects.create(
        number="LF-2026-00001", submission=rules.submission, parts=["layout"], status=status, created_by=manager
    )
    drawing = layout_rows.drawing_row(layout, rules)
    if status == LayoutStatus.FILED:
        layout_rows.filed_again(layout, rules, at="2026-03-04T12:00")
    addresses = [(name, f"{layout.number} {more}".format(drawing=drawing.pk)) for name, more in LAYOUT]
    refuses(addresses, [others[one] for one in who], version=layout.version)


def test_order_for_another_licensee_is_not_there(
    others: dict[str, Person], casino: Organization, director: Person
) -> None:
    order = waiver(director)
    refuses([(name, order.number) for name, _ in ORDERS], [others[one] for one in LICENSEES], version=1)


def test_jobs_are_not_there_for_licensees(others: dict[str, Person], manager: Person) -> None:
    job = start_simulations(rows.filing(manager, "682a"))[0].pk
    refuses([(name, f"{job}") for name, _ in OPERATIONS], [others[one] for one in LICENSEES], version=1)


def test_table_list_of_another_licensee_is_not_there(
    others: dict[str, Person], casino: Organization, manager: Person
) -> None:
    enter(manager, ("12", "686a"))
    refuses([(name, f"east {more}") for name, more in TABLE_LIST], [others[one] for one in LICENSEES], version=1)


@pytest.mark.parametrize("is_published", [False, True])
def test_workbench_of_the_board_is_not_there_for_licensees(others: dict[str, Person], is_published: bool) -> None:
    text = head() + '[chapter]\nstatus = "final"\n'
    if is_published:
        rulemaking = published(others["analyst"], others["director"], text)
    else:
        rulemaking = written(others["analyst"], text)
    addresses = [(name, rulemaking.number) for name, _ in RULEMAKING]
    refuses(addresses, [others[who] for who in LICENSEES], version=rulemaking.version)


def test_people_and_their_things_of_another_organization_are_not_there(
    others: dict[str, Person], manager: Person, preparer: Person, casino: Organization
) -> None:
    now = timezone.now()
    invited = Invitation.objects.create(
        organization=casino, email="new@east.example.test", name="New", role=Role.READER, by=manager, at=now,
        expires_at=now + timezone.timedelta(days=7), secret_sha256=hashlib.sha256(b"secret").hexdigest(),
    )  # fmt: skip
    kept = SavedFilter.objects.create(person=manager, name="Mine", query="words=687a")
    session = UserSession.objects.create(user=manager, ip="127.0.0.1", session_key="a" * 32, user_agent="Firefox")
    chief = administrator(casino)
    credential = made(casino).credential
    webhook = webhook_endpoints.create_webhook(chief, url="https://hooks.example.test/").webhook
    delivery = webhook_endpoints.send_test(chief, webhook)
    parcel = intake.Upload([{"action": "create", "chapter": "687a"}], "json", "0" * 64)
    batch = intake.accept_upload(manager, parcel, mode=Batch.Mode.LIVE, atomic=False)
    programs = {
        "credential": credential.pk, "webhook": webhook.pk, "delivery": delivery.key, "batch": batch.number,
    }  # fmt: skip
    day = timezone.localdate()
    stand_in = stand_ins.name_stand_in(manager, preparer, first_day=day, last_day=day, reason="Vacation.")
    things = {
        **programs,
        "colleague": preparer.pk,
        "stand_in": stand_in.pk,
        "invitation": invited.pk,
        "filter": kept.pk,
        "session": session.pk,
        "export": request_export(manager, ExportRequest(KIND, "all.csv", CSV, 1, "", {"keys": [1]})).pk,
    }
    refuses([(name, more.format(**things)) for name, more in PEOPLE], list(others.values()), version=1)
    preparer.refresh_from_db()
    invited.refresh_from_db()
    assert (preparer.is_active, invited.withdrawn_at) == (True, None)
    credential.refresh_from_db()
    webhook.refresh_from_db()
    assert (credential.revoked_at, credential.replaced_by, webhook.ended_at) == (None, None, None)
    assert (webhook.deliveries.count(), Batch.objects.get().state) == (1, batch.state)
    assert (SavedFilter.objects.count(), UserSession.objects.filter(user=manager).count()) == (1, 1)


def refuses(rows: list[tuple[str, str]], people: list[Person], *, version: int) -> None:
    """Each address, read and posted to, with everything that its page asks for."""
    typed = {
        "version": version, "confirm_password": PASSWORD, "reason": "Because.", "attested": "yes", "text": "Why?",
        "audience": "licensee", "revision": 1, "configuration": 0, "option": "", "do": "answered", "name": "Pit 9",
        "tables": "99", "from_day": f"{timezone.localdate()}", "answer-adjacent_boxes": "1", "role": "reader",
    }  # fmt: skip
    events, found = Event.objects.count(), {}
    for one in people:
        client = browser(one)
        for name, arguments in rows:
            address = reverse(name, args=arguments.split())
            sent = {**typed, acting.FIELD: one.pk}
            statuses = {client.get(address).status_code, client.post(address, sent).status_code}
            found[one.name, name, arguments] = statuses - {405}  # the other way of asking is not there for anybody
    assert {key: statuses for key, statuses in found.items() if not statuses or statuses - REFUSED} == {}
    assert Event.objects.count() == events


def test_every_address_with_an_object_is_in_the_matrix() -> None:
    with_object = {one.name for one in ADDRESSES if "<" in one.route and not is_open_to_visitors(one.who)}
    of_everybody = {"start", "start-from", "chapter-decision"}  # a chapter is nobody's
    assert with_object - of_everybody == {
        name for name, _ in SUBMISSION + LAYOUT + OPERATIONS + ORDERS + PEOPLE + RULEMAKING + TABLE_LIST
    }
