"""Table groups on pages: tabs, a checklist each, what differs, what blocks where, and one run for equal answers."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from submissions.filings import drafts, filing, table_groups
from submissions.filings.table_groups import GroupDescription
from submissions.models import Job, Person, Submission
from tests.submissions.table_list.lists import enter
from tests.submissions.web.clients import HTMX, browser, complete, pdf, work

HIGH = GroupDescription("High limit", "3, 7-9", "2")


@pytest.fixture
def grouped(preparer: Person) -> Submission:
    """A complete draft with a group that does not differ yet."""
    draft = complete(preparer)
    table_groups.add_group(preparer, draft, HIGH)
    return draft


def checklist(draft: Submission, group: int = 0) -> str:
    return reverse("checklist", args=[draft.number]) + (f"?group={group}" if group else "")


def reset(draft: Submission, key: str) -> str:
    return f"/submissions/{draft.number}/checklist/{quote(key)}/reset/?group=1"


def stored(draft: Submission, group: int) -> dict[str, object]:
    return draft.configurations.get(position=group).answers


def differ(person: Person, draft: Submission, **changes: object) -> None:
    drafts.save_answers(person, draft, changes, seen=stored(draft, 1), configuration=1)


def test_one_configuration_offers_to_add_a_group(preparer: Person, draft: Submission) -> None:
    page = browser(preparer).get(checklist(draft)).content.decode()
    assert "These options apply to all tables." in page
    assert reverse("groups", args=[draft.number]) in page
    assert "groups__tabs" not in page


def test_group_is_added_from_its_form_and_has_a_checklist(preparer: Person, draft: Submission) -> None:
    form = {"name": "High limit", "tables": "9, 8, 7, 3", "pit": "2"}
    page = browser(preparer).post(reverse("groups", args=[draft.number]), form, follow=True)
    assert page.redirect_chain == [(checklist(draft, 1), 302)]
    text = page.content.decode()
    assert "<strong>High limit</strong> <span>tables 3, 7-9, pit 2</span>" in text
    assert "<strong>All other tables</strong>" in text
    assert f'hx-post="{checklist(draft, 1)}"' in text
    assert "No answer differs from the other tables yet." in text


def test_group_chooses_open_tables_of_the_list_and_ranges_stay(preparer: Person, draft: Submission) -> None:
    client, address = browser(preparer), reverse("groups", args=[draft.number])
    assert "Your casino has no table list yet." in client.get(address).content.decode()
    enter(preparer, ("3", "686a", "2"), ("7", "686a"), ("8", "686a", "", "closed"), ("9", "683a"))
    page = client.get(address).content.decode()
    assert re.findall(r'name="listed" value="(\w+)"', page) == ["3", "7"]
    assert "3 (pit 2)" in page
    client.post(address, {"name": "High limit", "tables": "20-22", "listed": ["3", "7"], "pit": ""})
    assert draft.configurations.get(position=1).tables == "3, 7, 20-22"
    form = client.get(reverse("group", args=[draft.number, 1])).content.decode()
    assert re.findall(r'name="listed" value="(\w+)"[^>]* checked', form) == ["3", "7"]
    assert re.search(r'name="tables" value="([^"]*)"', form)[1] == "20-22"
    seen = {"seen-name": "High limit", "seen-tables": "3, 7, 20-22", "seen-pit": ""}
    values = {"name": "High limit", "tables": "20-22", "listed": ["7"], "pit": "", **seen}
    assert client.post(reverse("group", args=[draft.number, 1]), values).status_code == 302
    assert draft.configurations.get(position=1).tables == "7, 20-22"


@pytest.mark.parametrize(
    ("tables", "says"),
    [("8, 9-4", "runs backwards"), ("8", "Table 8 of “High limit”"), ("1," * 6_000, "12,000"), ("4\x07", "U+0007")],
)
def test_form_refused_keeps_what_was_typed(preparer: Person, grouped: Submission, tables: str, says: str) -> None:
    form = {"name": "Main <floor>", "tables": tables, "pit": "9"}
    answer = browser(preparer).post(reverse("groups", args=[grouped.number]), form)
    page = answer.content.decode()
    assert answer.status_code == 400
    assert says in page.split('id="id_tables_error"')[1].split("</p>")[0]
    assert 'value="Main &lt;floor&gt;"' in page
    assert f'value="{tables}"' in page
    assert grouped.configurations.count() == 2


def test_line_of_a_group_is_saved_there_and_marked(preparer: Person, grouped: Submission) -> None:
    before = stored(grouped, 0)
    form = {"answer-bonus_wager": "no", "seen-bonus_wager": "true"}
    parts = browser(preparer).post(checklist(grouped, 1), form, headers=HTMX).content.decode()
    findings = parts.split('id="findings-bonus_wager"')[1].split("</div>")[0]
    assert (stored(grouped, 0), stored(grouped, 1)) == (before, {**before, "bonus_wager": False})
    assert "which have: Yes." in findings
    assert f'formaction="{reset(grouped, "bonus_wager")}"' in findings
    assert 'id="group-state-1" hx-swap-oob="true"' in parts


def test_line_is_set_back_by_its_button(preparer: Person, grouped: Submission) -> None:
    differ(preparer, grouped, bonus_wager=False)
    answer = browser(preparer).post(reset(grouped, "bonus_wager"))
    assert answer["Location"] == checklist(grouped, 1) + "#line-bonus_wager"
    assert stored(grouped, 1) == stored(grouped, 0)


@pytest.mark.parametrize(("key", "status"), [("no_such_line", 302), ("x\r\nSet-Cookie: a=b", 404)])
def test_set_back_of_no_line_changes_nothing(preparer: Person, grouped: Submission, key: str, status: int) -> None:
    before = stored(grouped, 1)
    assert browser(preparer).post(reset(grouped, key)).status_code == status
    assert stored(grouped, 1) == before


def test_two_people_in_two_groups_do_not_clash(preparer: Person, manager: Person, grouped: Submission) -> None:
    differ(manager, grouped, bonus_wager=False)
    form = {"answer-bonus_wager": "yes", "seen-bonus_wager": "true"}
    parts = browser(preparer).post(checklist(grouped), form, headers=HTMX).content.decode()
    assert 'class="clash"' not in parts
    assert "Changed by" not in parts


def test_clash_in_a_group_is_told_there(preparer: Person, manager: Person, grouped: Submission) -> None:
    differ(manager, grouped, adjacent_boxes_allowed=True, adjacent_boxes=2)
    form = {"answer-adjacent_boxes": "4", "seen-adjacent_boxes": "3"}
    answer = browser(preparer).post(checklist(grouped, 1), form)
    assert answer.status_code == 409
    assert "Manager East changed this line" in answer.content.decode()


def test_group_that_is_gone_is_told_and_nothing_saved(preparer: Person, manager: Person, grouped: Submission) -> None:
    table_groups.remove_group(manager, grouped, 1)
    form = {"answer-bonus_wager": "no", "seen-bonus_wager": "true"}
    client = browser(preparer)
    parts = client.post(checklist(grouped, 1), form, headers=HTMX)
    assert (parts.status_code, client.post(checklist(grouped, 1), form).status_code) == (409, 409)
    assert "Not saved:" in parts.content.decode()
    assert client.get(checklist(grouped, 1)).status_code == 404
    assert stored(grouped, 0)["bonus_wager"] is True


@pytest.mark.parametrize("group", ["x", "-1", "99999999999999999999", "٣"])
def test_address_of_no_group_is_not_found(preparer: Person, grouped: Submission, group: str) -> None:
    assert browser(preparer).get(reverse("checklist", args=[grouped.number]), {"group": group}).status_code == 404


def test_group_is_described_anew_and_removed(preparer: Person, grouped: Submission) -> None:
    client, address = browser(preparer), reverse("group", args=[grouped.number, 1])
    assert 'value="3, 7-9"' in client.get(address).content.decode()
    seen = {"seen-name": "High limit", "seen-tables": "3, 7-9", "seen-pit": "2"}
    client.post(address, {**seen, "name": "Salon", "tables": "BJ-4", "pit": ""})
    assert grouped.configurations.get(position=1).tables == "BJ-4"
    late = client.post(address, {**seen, "name": "Late", "tables": "5", "pit": ""})
    assert late.status_code == 409
    assert "It is now “Salon”, tables BJ-4" in late.content.decode()
    assert 'name="seen-name" value="Salon"' in late.content.decode()
    client.post(reverse("group-remove", args=[grouped.number, 1]))
    assert grouped.configurations.count() == 1


def test_file_of_a_group_is_shown_there_alone(preparer: Person) -> None:
    draft = complete(preparer, "688a")
    table_groups.add_group(preparer, draft, HIGH)
    client = browser(preparer)
    client.post(checklist(draft, 1), {"file-house_rules": SimpleUploadedFile("salon.pdf", pdf() + b"\n%1")})
    assert "salon.pdf</a>" in client.get(checklist(draft, 1)).content.decode()
    assert "salon.pdf</a>" not in client.get(checklist(draft)).content.decode()


def test_filing_page_says_in_which_group_it_is_blocked(preparer: Person, manager: Person, grouped: Submission) -> None:
    differ(preparer, grouped, adjacent_boxes_allowed=True, adjacent_boxes=9)
    client, address = browser(manager), reverse("file", args=[grouped.number])
    errors = client.get(address).content.decode().split('id="errors"')[1].split('class="columns"')[0]
    assert "<h3>High limit</h3>" in errors
    assert f'href="{checklist(grouped, 1)}#line-adjacent_boxes"' in errors
    with pytest.raises(filing.Refusal) as refusal:
        filing.file_submission(manager, grouped, version=1, attested=True)
    assert refusal.value.findings[0].message.startswith("High limit: ")


def test_what_differs_stands_side_by_side_once(preparer: Person, grouped: Submission) -> None:
    differ(preparer, grouped, bonus_wager=False)
    page = browser(preparer).get(reverse("file", args=[grouped.number])).content.decode().split('class="history')[0]
    table = page.split('class="usa-table side-by-side')[1].split("</table>")[0]
    row = next(row for row in table.split("<tr>") if "Bonus Wager" in row)
    assert [cell.split(">")[1].split("<")[0].strip() for cell in row.split("<td")[1:3]] == ["Yes", "No"]
    assert page.count("Do you accept verbal wagers") == 1


def test_equal_answers_are_simulated_once(preparer: Person, manager: Person, grouped: Submission) -> None:
    table_groups.add_group(preparer, grouped, GroupDescription("Pit 5", "40-44"))
    differ(preparer, grouped, bonus_wager=False)
    revision = filing.file_submission(manager, grouped, version=1, attested=True)
    assert [one["evidence_as"] for one in revision.content["configurations"]] == [0, 1, 0]
    assert list(revision.simulations.order_by("configuration").values_list("configuration", flat=True)) == [0, 1]
    assert Job.objects.filter(kind=Job.Kind.SIMULATE).count() == 2


def test_every_group_has_its_evidence_or_says_whose(preparer: Person, manager: Person, analyst: Person) -> None:
    draft = complete(preparer)
    table_groups.add_group(preparer, draft, HIGH)
    filing.file_submission(manager, draft, version=1, attested=True)
    work()
    client = browser(analyst)
    page = client.get(reverse("submission", args=[draft.number])).content.decode()
    ours = page.split('id="evidence-c1"')[1].split("</section>")[0]
    assert "the same evidence as all other tables</a>" in ours
    assert 'href="#evidence-c0"' in ours
    ours, theirs = (
        client.get(reverse("round", args=[draft.number]), {"configuration": place}).content.decode() for place in (1, 0)
    )
    assert ours.split('id="story"')[1] == theirs.split('id="story"')[1]
