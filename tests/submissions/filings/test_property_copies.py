"""A filing is copied to another property as a draft: answers and files; its tables are to be entered there."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.registry import chapter
from submissions.audit.row_verification import begin_sealing, verify_history
from submissions.audit.timeline import timeline
from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings import copies, drafts, filing, table_groups
from submissions.filings.judging import judge_draft
from submissions.filings.table_groups import GroupDescription
from submissions.models import Attachment, Event, Organization, Person, Role, Submission
from submissions.permissions import attachments_visible_to, history_visible_to
from submissions.web import access_gate
from tests.submissions.example_drafts import ready_to_file
from tests.submissions.properties import membership
from tests.submissions.web.clients import browser, complete


@pytest.fixture
def away(manager: Person, other_casino: Organization) -> Person:
    return membership(manager, other_casino, Role.PREPARER)


def number_with(wanted: str) -> str:
    """A chapter with a line of this kind."""
    from games.registry import chapters

    return next(
        each.number
        for each in chapters()
        if any(wanted in (option.kind, option.limits.format) for option in each.options)
    )


def test_draft_is_copied_with_its_answers(manager: Person, away: Person) -> None:
    begin_sealing()
    source = ready_to_file(manager, "686a")
    draft = copies.copy_to_property(manager, source, away)
    assert (draft.organization, draft.created_by, draft.status, draft.amends) == (
        away.organization,
        away,
        "draft",
        None,
    )
    lists = {option.key for option in chapter("686a").options if option.limits.format == "tables"}
    answers = source.configurations.get().answers
    assert draft.configurations.get().answers == {key: given for key, given in answers.items() if key not in lists}
    assert verify_history().good


def test_what_was_filed_is_copied_from_its_snapshot(manager: Person, away: Person) -> None:
    source = ready_to_file(manager, "686a")
    filing.file_submission(manager, source, version=source.version, attested=True)
    filed = source.revisions.get().content["configurations"][0]["answers"]
    source.configurations.update(answers={"adjacent_boxes": 99})  # as no action does
    draft = copies.copy_to_property(manager, source, away)
    copied = draft.configurations.get().answers
    assert copied
    assert copied.items() <= filed.items()


def test_groups_are_copied_without_their_tables(manager: Person, away: Person) -> None:
    source = ready_to_file(manager, "686a")
    group = table_groups.add_group(manager, source, GroupDescription("High limit", "3, 5", "A"))
    drafts.save_answers(manager, source, {"adjacent_boxes": 2}, configuration=group.position)
    draft = copies.copy_to_property(manager, source, away)
    first, copied = draft.configurations.all()
    assert (copied.position, copied.name, copied.tables, copied.pit) == (group.position, "High limit", "", "")
    assert (first.tables, copied.answers["adjacent_boxes"]) == ("", 2)
    page = browser(away).get(reverse("checklist", args=[draft.number])).content.decode()
    assert "tables to be entered" in page


def test_group_without_tables_blocks_the_filing_until_they_are_entered(
    manager: Person, other_casino: Organization
) -> None:
    there = membership(manager, other_casino, Role.MANAGER)
    source = ready_to_file(manager, "686a")
    group = table_groups.add_group(manager, source, GroupDescription("High limit", "3, 5"))
    draft = copies.copy_to_property(manager, source, there)
    rows = list(draft.configurations.all())
    [finding] = judge_draft(chapter("686a"), rows[1], rows).blocking
    assert (finding.rule, finding.citation) == ("686a.group-without-tables", "§ 601a.2")
    with pytest.raises(Refusal) as refusal:
        filing.file_submission(there, draft, version=draft.version, attested=True)
    assert refusal.value.code == "blocking-findings"
    assert "The tables of the group “High limit” are to be entered." in refusal.value.findings[0].message
    seen = GroupDescription("High limit", "")
    table_groups.describe_group(there, draft, group.position, GroupDescription("High limit", "7"), seen=seen)
    filing.file_submission(there, draft, version=draft.version, attested=True)
    assert draft.revisions.get().content["configurations"][1]["tables"] == "7"


def test_files_are_attached_again(manager: Person, away: Person, stranger: Person) -> None:
    number = number_with("attachment")
    source = complete(manager, number)
    draft = copies.copy_to_property(manager, source, away)
    [original], [copied] = source.attachments.all(), draft.attachments.all()
    assert (copied.option, copied.name, copied.stored_id) == (original.option, original.name, original.stored_id)
    assert (copied.uploaded_by, original.uploaded_by) == (away, manager)
    assert attachments_visible_to(stranger, draft).get() == copied  # a colleague there
    assert not attachments_visible_to(stranger, source).exists()
    assert Attachment.objects.count() == 2


def test_lists_of_tables_are_to_be_entered(manager: Person, away: Person) -> None:
    number = number_with("tables")
    source = complete(manager, number)
    lists = {option.key for option in chapter(number).options if option.limits.format == "tables"}
    assert lists & source.configurations.get().answers.keys()
    draft = copies.copy_to_property(manager, source, away)
    assert not lists & draft.configurations.get().answers.keys()


def test_both_histories_say_so_and_the_board_learns_nothing(manager: Person, away: Person, analyst: Person) -> None:
    source = ready_to_file(manager, "686a")
    filing.file_submission(manager, source, version=source.version, attested=True)
    draft = copies.copy_to_property(manager, source, away)
    started, copied = Event.objects.filter(verb__in=("started", "copied"), submission__in=(draft, source)).order_by(
        "-sequence"
    )[:2][::-1]
    assert (started.actor, started.organization, started.submission) == (away, away.organization, draft)
    assert (copied.actor, copied.organization, copied.submission) == (manager, manager.organization, source)
    assert timeline(source, manager)[0].detail == f"To Casino West: {draft.number}."
    assert timeline(draft, away)[0].detail == f"A copy of {source.number} of Casino East."
    assert not history_visible_to(analyst, source).filter(verb="copied").exists()


def test_copy_needs_the_source_to_be_visible(
    manager: Person, away: Person, stranger: Person, other_casino: Organization
) -> None:
    west = drafts.start_submission(stranger, "687a")
    with pytest.raises(Forbidden) as refusal:  # visible at the other property, for which the person does not act now
        copies.copy_to_property(manager, west, away)
    assert refusal.value.code == "not-allowed"
    assert copies.copy_to_property(away, west, manager).organization == manager.organization


@pytest.mark.parametrize("role", [Role.READER, ""])
def test_copy_needs_a_preparer_there(manager: Person, away: Person, role: str) -> None:
    source = drafts.start_submission(manager, "686a")
    Person.objects.filter(pk=away.pk).update(role=role)
    assert copies.copy_targets(manager) == []
    with pytest.raises(Forbidden) as refusal:
        copies.copy_to_property(manager, source, away)
    assert refusal.value.code == "not-preparing-there"
    assert Submission.objects.count() == 1


def test_reader_of_the_source_may_copy(reader: Person, manager: Person, other_casino: Organization) -> None:
    there = membership(reader, other_casino, Role.PREPARER)
    source = drafts.start_submission(manager, "686a")
    assert copies.copy_to_property(reader, source, there).created_by == there


def test_copy_goes_to_no_row_of_another_account(manager: Person, away: Person, stranger: Person) -> None:
    source = drafts.start_submission(manager, "686a")
    for target in (stranger, manager):
        with pytest.raises(Forbidden):
            copies.copy_to_property(manager, source, target)
    Person.objects.filter(pk=away.pk).update(is_active=False)
    with pytest.raises(Forbidden):
        copies.copy_to_property(manager, source, away)
    assert Submission.objects.count() == 1


def test_form_of_a_copy_is_sent_once(manager: Person, away: Person) -> None:
    source = drafts.start_submission(manager, "686a")
    copies.copy_to_property(manager, source, away, form_token="once")
    with pytest.raises(Conflict) as refusal:
        copies.copy_to_property(manager, source, away, form_token="once")
    assert refusal.value.code == "form-sent-already"
    assert Submission.objects.count() == 2


def test_page_copies_and_says_where_the_draft_is(manager: Person, away: Person) -> None:
    source = drafts.start_submission(manager, "686a")
    client, address = browser(manager), reverse("copy", args=[source.number])
    assert address in client.get(reverse("submission", args=[source.number])).content.decode()
    page = client.get(address).content.decode()
    assert f'value="{away.pk}"' in page
    form = {access_gate.FIELD: manager.pk, "mark": "m", "target": away.pk}
    refused = client.post(address, {**form, "target": manager.pk})
    assert (refused.status_code, "Choose one of: Casino West." in refused.content.decode()) == (400, True)
    answer = client.post(address, form, follow=True).content.decode()
    draft = Submission.objects.exclude(pk=source.pk).get()
    assert f"{draft.number} is a draft of Casino West." in answer
    assert client.get(reverse("submission", args=[draft.number])).status_code == 404  # acting for Casino East
    assert client.post(address, form).status_code == 409  # a second time


def test_page_offers_nothing_to_who_prepares_nowhere_else(preparer: Person, manager: Person, away: Person) -> None:
    source = drafts.start_submission(manager, "686a")
    client, address = browser(preparer), reverse("copy", args=[source.number])
    assert address not in client.get(reverse("submission", args=[source.number])).content.decode()
    assert "You cannot prepare a submission for another property." in client.get(address).content.decode()
