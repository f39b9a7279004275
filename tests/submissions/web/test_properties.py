"""A person of two properties: the switch, what each page shows, and forms that were made for the other property."""

from __future__ import annotations

import itertools
import re
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse

from submissions.accounts import invitations, members
from submissions.filings import drafts
from submissions.models import Event, Organization, Person, Role, Submission
from submissions.web import access_gate
from submissions.web.urls import ADDRESSES
from tests.cast import PASSWORD
from tests.submissions.accounts.test_members import administrator, signed_in
from tests.submissions.properties import membership, one_company
from tests.submissions.web.clients import HTMX, browser, compact, complete

POST_FORM = re.compile(r'<form[^>]* method="post".*?</form>', re.DOTALL)


@pytest.fixture
def away(manager: Person, other_casino: Organization) -> Person:
    """What Manager East does at Casino West: prepares."""
    return membership(manager, other_casino, Role.PREPARER)


@pytest.fixture
def east(draft: Submission) -> Submission:
    return draft


@pytest.fixture
def west(stranger: Person) -> Submission:
    return drafts.start_submission(stranger, "687a")


def switched(client: Client, row: Person, **fields: str) -> Any:
    return client.post(reverse("property-switch"), {"person": row.pk, **fields})


def sent_by(client: Client, row: Person, address: str, fields: dict[str, Any], **more: Any) -> Any:
    """A form that was made while the account acted as this row."""
    return client.post(address, {access_gate.FIELD: row.pk, **fields}, **more)


def test_each_property_shows_its_own_rows_alone(
    manager: Person, away: Person, east: Submission, west: Submission
) -> None:
    client = browser(manager)
    for row, own, other in ((manager, east, west), (away, west, east), (manager, east, west)):
        assert switched(client, row).status_code == 302
        home = client.get("/").content.decode()
        assert (own.number in home, other.number in home) == (True, False)
        found = client.get(reverse("search")).content.decode()
        assert (own.number in found, other.number in found) == (True, False)
        statuses = [client.get(reverse("submission", args=[each.number])).status_code for each in (own, other)]
        assert statuses == [200, 404]
        hint = client.get(reverse("submission", args=[other.number])).content.decode()
        assert f"You act for {row.organization.name}." in hint


def test_header_names_the_property_and_the_role(manager: Person, away: Person, west: Submission) -> None:
    client = browser(manager)
    header = client.get("/").content.decode().split("</header>")[0]
    assert "Table Games Manager, Casino East" in header
    assert f'<option value="{manager.pk}" selected>Casino East</option>' in header
    assert f'<option value="{away.pk}">Casino West (1 task)</option>' in header
    assert "1 task at other properties" in header
    header = switched(client, away, next=reverse("people")).headers["Location"]
    assert header == reverse("people")
    header = client.get("/").content.decode().split("</header>")[0]
    assert "Preparer, Casino West" in header
    assert f'<option value="{manager.pk}">Casino East (0 tasks)</option>' in header


def test_person_of_one_property_has_no_switch(preparer: Person, away: Person, east: Submission) -> None:
    page = browser(preparer).get("/").content.decode()
    assert "You act for" not in page
    assert access_gate.FIELD not in page


def test_role_is_that_of_the_property(manager: Person, away: Person, east: Submission, west: Submission) -> None:
    client = browser(manager)
    assert sent_by(client, manager, reverse("start", args=["688a"]), {}).status_code == 302
    Person.objects.filter(pk=away.pk).update(role=Role.READER)
    switched(client, away)
    answer = sent_by(client, away, reverse("start", args=["688a"]), {})
    assert (answer.status_code, "Only a Preparer or a Table Games Manager may do this." in answer.content.decode()) == (
        403,
        True,
    )


def test_event_is_of_the_row_that_acts(manager: Person, away: Person) -> None:
    client = browser(away)
    sent_by(client, away, reverse("start", args=["688a"]), {})
    event = Event.objects.get(verb="started")
    assert (event.actor, event.organization) == (away, away.organization)
    assert Submission.objects.get().created_by == away


@pytest.mark.parametrize("key", ["", "0", "x", "99999999999999999999"])
def test_switch_takes_only_own_properties(manager: Person, away: Person, stranger: Person, key: str) -> None:
    client = browser(manager)
    assert client.post(reverse("property-switch"), {"person": key}).status_code == 404
    assert switched(client, stranger).status_code == 404  # a row of Casino West, but of another account
    assert access_gate.ACTING not in client.session


def test_switch_of_another_account_is_not_found(preparer: Person, away: Person) -> None:
    client = browser(preparer)
    assert switched(client, away).status_code == 404
    session = client.session
    session[access_gate.ACTING] = away.pk  # as no request can
    session.save()
    assert "Casino East" in client.get("/").content.decode()
    assert client.get("/").wsgi_request.user.pk == preparer.pk


def test_switch_leads_to_no_other_host(manager: Person, away: Person) -> None:
    client = browser(manager)
    for address in ("https://evil.example/", "//evil.example/", "javascript:alert(1)"):
        assert switched(client, away, next=address).headers["Location"] == "/"


def test_form_of_another_property_is_refused_and_kept(
    manager: Person, away: Person, east: Submission, west: Submission
) -> None:
    client = browser(manager)
    switched(client, away)  # in another tab
    address, typed = reverse("checklist", args=[east.number]), {"answer-adjacent_boxes": "3", "version": "1"}
    before = Event.objects.count()
    answer = sent_by(client, manager, address, typed)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "You now act for Casino West, but this page is for another property." in page
    assert '<input type="hidden" name="answer-adjacent_boxes" value="3">' in page
    assert "Act for Casino East and send again" in page
    assert Event.objects.count() == before


def test_refused_form_is_sent_again_for_its_property(
    manager: Person, away: Person, west: Submission, client: Client
) -> None:
    client = browser(manager)
    switched(client, away)
    refused = sent_by(client, manager, reverse("start", args=["688a"]), {}).content.decode()
    form = next(form for form in POST_FORM.findall(refused) if "send again" in form)
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(value)
    assert client.post(reverse("start", args=["688a"]), fields).status_code == 302
    started = Submission.objects.get(chapter="688a")
    assert (started.organization, started.created_by) == (manager.organization, manager)
    assert "Table Games Manager, Casino East" in client.get("/").content.decode()


def test_form_that_names_no_property_is_refused(manager: Person, away: Person) -> None:
    client = browser(manager)
    answer = client.post(reverse("start", args=["688a"]))
    assert (answer.status_code, "Send again for Casino East" in answer.content.decode()) == (409, True)
    assert not Submission.objects.exists()
    assert sent_by(client, manager, reverse("start", args=["688a"]), {}).status_code == 302


def test_part_of_a_page_of_another_property_is_not_saved(manager: Person, away: Person, east: Submission) -> None:
    client = browser(manager)
    page = client.get(reverse("checklist", args=[east.number])).content.decode()
    assert 'id="other-property"' in page
    switched(client, away)
    before = Event.objects.count()
    typed = {"answer-adjacent_boxes": "3", access_gate.FIELD: manager.pk}
    answer = client.post(reverse("checklist", args=[east.number]), typed, headers=HTMX)
    assert (answer.status_code, Event.objects.count()) == (412, before)


def test_sign_in_keeps_the_property_of_a_form(manager: Person, away: Person) -> None:
    """What is sent again after a new sign-in, which acts for home, is still for the other property."""
    client = browser()
    page = sent_by(client, away, reverse("start", args=["688a"]), {}).content.decode()
    assert f'name="{access_gate.FIELD}" value="{away.pk}"' in page
    client.force_login(manager)
    both = {access_gate.FIELD: [manager.pk, away.pk]}  # the page has its own property first
    assert client.post(reverse("start", args=["688a"]), both).status_code == 409
    assert not Submission.objects.exists()


def test_every_form_says_for_which_property_it_was_made(
    manager: Person, away: Person, filed: Submission, east: Submission
) -> None:
    Person.objects.filter(pk=manager.pk).update(administrator=True)
    client, seen = browser(manager), 0
    for address in ADDRESSES:
        parts = re.findall(r"<(?:\w+:)?(\w+)>", address.route)
        if parts not in ([], ["number"]) or address.name == "progress":  # a part of a page, of what was filed
            continue
        for number in (filed.number, east.number) if parts else ("",):
            answer = client.get(reverse(address.name, args=[number] if parts else []))
            if answer.status_code != 200 or "text/html" not in answer["Content-Type"]:
                continue
            for form in POST_FORM.findall(answer.content.decode()):
                seen += 1
                assert f'name="{access_gate.FIELD}" value="{manager.pk}"' in form, (address.name, form[:200])
    assert seen > 60


def test_deactivation_ends_the_property_in_the_open_session(
    manager: Person, away: Person, west: Submission, other_casino: Organization
) -> None:
    chief = administrator(other_casino, "Chief West")
    client = browser(away)
    assert client.get(reverse("submission", args=[west.number])).status_code == 200
    members.deactivate_member(chief, away)
    typed = {"answer-adjacent_boxes": "3"}
    refused = sent_by(client, away, reverse("checklist", args=[west.number]), typed)
    assert (refused.status_code, "You can no longer act for the property" in refused.content.decode()) == (409, True)
    assert "<dd>3</dd>" in refused.content.decode()  # nothing typed is lost
    page = client.get("/").content.decode()
    assert "Table Games Manager, Casino East" in page
    assert client.get(reverse("submission", args=[west.number])).status_code == 404
    assert access_gate.ACTING not in client.session


def test_deactivated_account_is_signed_out_everywhere(manager: Person, away: Person, casino: Organization) -> None:
    chief = administrator(casino, "Chief East")
    client = browser(away)
    members.deactivate_member(chief, manager)
    assert client.get(reverse("people")).status_code == 302
    assert switched(client, away).status_code == 401


def test_company_that_parts_ends_the_property_in_the_open_session(
    manager: Person, away: Person, west: Submission, other_casino: Organization
) -> None:
    client = browser(away)
    Organization.objects.filter(pk=other_casino.pk).update(company="Other Gaming")
    answer = client.get(reverse("submission", args=[west.number]))
    words = "You can no longer act for the property that you chose. You now act for Casino East."
    assert (answer.status_code, words in answer.content.decode()) == (404, True)


def test_next_person_at_the_same_browser_inherits_nothing(
    manager: Person, away: Person, stranger: Person, west: Submission
) -> None:
    client = signed_in(manager)
    switched(client, away)
    client.post(reverse("account_logout"))
    before = client.cookies["sessionid"].value
    client.post(reverse("account_login"), {"login": stranger.email, "password": PASSWORD})
    assert access_gate.ACTING not in client.session
    client.post(reverse("account_logout"))
    client.post(reverse("account_login"), {"login": manager.email, "password": PASSWORD})
    assert access_gate.ACTING not in client.session
    assert client.cookies["sessionid"].value != before  # none that was known before the sign-in
    assert "Table Games Manager, Casino East" in compact(client.get("/").content.decode())


def test_switch_in_one_session_leaves_others_alone(manager: Person, away: Person) -> None:
    here, there = signed_in(manager), signed_in(manager)
    switched(here, away)
    assert "Casino West</span>" in here.get("/").content.decode()
    assert "Casino East</span>" in there.get("/").content.decode()


def test_sign_in_pages_are_those_of_the_account(manager: Person, away: Person) -> None:
    client, there = signed_in(manager), signed_in(manager)
    switched(client, away)
    for name in ("mfa_index", "usersessions_list", "account_change_password"):
        answer = client.get(reverse(name), follow=True)
        assert (answer.status_code, answer.wsgi_request.user.pk) == (200, manager.pk)
        assert "Preparer, Casino West" in compact(answer.content.decode())  # but the header says for whom
    session = UserSession.objects.get(user=manager, session_key=there.session.session_key)
    assert client.post(reverse("end-session", args=[session.pk])).status_code == 302
    assert [window.get(reverse("people")).status_code for window in (client, there)] == [200, 302]


def test_confirmation_is_the_passphrase_of_the_account(
    manager: Person, away: Person, other_casino: Organization
) -> None:
    Person.objects.filter(pk=away.pk).update(administrator=True)
    client = browser(away, confirmed=False)
    form = {"email": "new@west.example.test", "name": "New", "role": "reader"}
    assert sent_by(client, away, reverse("people"), form).status_code == 403
    assert sent_by(client, away, reverse("people"), {**form, "confirm_password": "wrong"}).status_code == 403
    assert sent_by(client, away, reverse("people"), {**form, "confirm_password": PASSWORD}).status_code == 200
    assert Event.objects.get(verb="invited").actor == away


def test_limit_of_confirmations_is_of_the_account(
    settings: Any, manager: Person, away: Person, other_casino: Organization
) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"confirm_person": "2/h/key"}
    Person.objects.filter(pk__in=(manager.pk, away.pk)).update(administrator=True)
    form = {"email": "new@west.example.test", "name": "New", "role": "reader", "confirm_password": "wrong"}
    pages = [
        sent_by(browser(row, confirmed=False), row, reverse("people"), form).content.decode()
        for row in (manager, away, away)
    ]
    assert ["Too many incorrect attempts" in page for page in pages] == [False, False, True]


def test_invitation_is_accepted_while_signed_in(
    manager: Person, casino: Organization, other_casino: Organization
) -> None:
    one_company(casino, other_casino)
    administrator(other_casino, "Deputy West")
    chief = administrator(other_casino, "Chief West")
    issued = invitations.invite(chief, email=manager.email, name="Manager", role=Role.PREPARER)
    link = issued.link.removeprefix("http://127.0.0.1:8000")
    page = browser().get(link).content.decode()
    assert ("Sign in with that account" in page, "password_again" in page) == (True, False)
    assert browser().post(link, {"name": "X", "password": PASSWORD, "password_again": PASSWORD}).status_code == 200
    assert "You are signed in as Chief West" in browser(chief).post(link).content.decode()
    client = browser(manager, confirmed=False)
    assert client.post(link).status_code == 403  # without confirmation
    assert not Person.objects.filter(account=manager).exists()
    answer = client.post(link, {"confirm_password": PASSWORD}, follow=True)
    assert "You may now act for Casino West" in answer.content.decode()
    assert switched(client, Person.objects.get(account=manager)).status_code == 302
    assert (client.get(link).status_code, client.post(link).status_code) == (410, 410)


def test_people_page_shows_where_a_membership_signs_in(
    manager: Person, away: Person, other_casino: Organization, mailoutbox: list[Any]
) -> None:
    chief = administrator(other_casino, "Chief West")
    page = browser(chief).get(reverse("people")).content.decode()
    assert manager.email in page
    assert "Account at Casino East" in page
    assert "memberships.invalid" not in page
    own = browser(chief).get(reverse("person", args=[away.pk])).content.decode()
    assert "signs in with an account of Casino East" in own
    assert "memberships.invalid" not in own


def test_api_and_public_pages_ask_for_no_property(manager: Person, away: Person) -> None:
    client = browser(away)
    assert client.post("/api/v1/submissions/", {}, content_type="application/json").status_code == 401
    assert client.get(reverse("register")).status_code == 200
    assert client.post(reverse("verify"), {}).status_code != 409


def test_switch_costs_four_queries_for_each_other_property(
    manager: Person, django_assert_max_num_queries: Any, casino: Organization
) -> None:
    def asked() -> int:
        with django_assert_max_num_queries(100) as queries:
            assert browser(manager).get(reverse("notices")).status_code == 200
        return len(queries)

    counts = [asked()]
    for slug in ("north", "south"):
        membership(manager, Organization.objects.create(kind="licensee", name=slug.title(), slug=slug), Role.PREPARER)
        counts.append(asked())
    assert [after - before for before, after in itertools.pairwise(counts)] == [4, 4]


def test_complete_draft_is_filed_for_the_acting_property(
    manager: Person, stranger: Person, other_casino: Organization
) -> None:
    row = membership(manager, other_casino, Role.MANAGER)
    submission = complete(row)
    client = browser(row)
    form = {"version": submission.version, "attested": "yes"}
    assert sent_by(client, row, reverse("file", args=[submission.number]), form).status_code == 302
    revision = submission.revisions.get()
    assert (revision.filed_by, revision.content["licensee"]["slug"]) == (row, "west")
    assert revision.content["filed"]["by"]["name"] == manager.name
