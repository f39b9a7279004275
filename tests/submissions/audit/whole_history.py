"""A history in which every sealed table has rows: written by the actions and the jobs alone, with checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import time_machine
from django.utils import timezone

from submissions.accounts import api_credentials, invitations, members, stand_ins
from submissions.audit import retention
from submissions.audit.row_verification import begin_sealing
from submissions.bulk import intake
from submissions.documents import checkpoints
from submissions.filings import attachments, copies, drafts, filing, handover, table_groups, versions
from submissions.filings.orders import order_entry
from submissions.filings.orders.order_entry import ConditionText, OrderContent
from submissions.filings.review import assignments, comments, decisions
from submissions.filings.table_groups import GroupDescription
from submissions.filings.tables import table_lists
from submissions.filings.tables.table_lists import TableRow
from submissions.layouts import layout_filings, layout_review, uploaded_drawings
from submissions.models import Invitation, Job, LayoutFiling, Order, Part, Person, Remark, Role, Submission, TableState
from submissions.notifications import webhooks
from submissions.rulemakings import drafting
from submissions.tasks import run_task
from tests.cast import analyst, director, manager, preparer
from tests.submissions import files
from tests.submissions.example_drafts import answer_all, ready_to_file
from tests.submissions.layout_rows import draw, filed_layout
from tests.submissions.workbench.steps import first_day, head, published, written

CHAPTER = "686a"


@dataclass(frozen=True, slots=True)
class Cast:
    """Everyone who acts."""

    preparer: Person
    manager: Person
    analyst: Person
    director: Person


def write_history() -> None:
    """Four days from now on; the checkpoints of the first three."""
    cast, start = Cast(preparer(), manager(), analyst(), director()), timezone.now()
    for day, step in enumerate((_people, _rules, _layout, _afterwards)):
        with time_machine.travel(start + timedelta(days=day), tick=True):
            step(cast)
            if day:
                checkpoints.checkpoint_at(checkpoints.last_change())


def _people(cast: Cast) -> None:
    """The first day: rows of before, and what administrators do."""
    administrators = (cast.preparer, cast.manager, cast.analyst)
    Person.objects.filter(pk__in=[person.pk for person in administrators]).update(administrator=True)
    for person in administrators:
        person.refresh_from_db()
    begin_sealing()
    invitations.create_organization(
        "Casino North",
        kind="licensee",
        slug="north",
        administrators=["a@north.test", "b@north.test"],
        company="Keystone",
    )
    issued = invitations.invite(cast.manager, email="new@east.test", name="New Reader", role=Role.READER)
    again = invitations.send_again(cast.manager, issued.invitation)
    joined = invitations.accept_invitation(again.invitation, name="New Reader", passphrase="a long spring sentence")
    members.assign_role(cast.manager, joined, role=Role.PREPARER, administrator=True)
    members.deactivate_member(cast.manager, joined)
    members.reactivate_member(cast.manager, joined)
    _stand_in(cast)
    _properties(cast)
    until = timezone.now() + timedelta(days=90)
    _credentials(cast, until)
    webhook = webhooks.create_webhook(cast.manager, url="https://hooks.example/portal").webhook
    webhooks.end_webhook(cast.manager, webhook)


def _stand_in(cast: Cast) -> None:
    """Named for this day, and ended on it; a draft that is sent to the manager, back, and deleted."""
    today = timezone.localdate()
    row = stand_ins.name_stand_in(cast.manager, cast.preparer, first_day=today, last_day=today, reason="Vacation.")
    stand_ins.end_stand_in(cast.manager, row)
    draft = drafts.start_submission(cast.preparer, "593")
    handover.send_to_manager(cast.preparer, draft, version=draft.version, note="Please look.")
    handover.send_back(cast.manager, draft, version=draft.version, note="Which shoe?")
    handover.write_line_comment(cast.manager, draft, option="odds_posted", text="At both entrances?")
    drafts.delete_draft(cast.preparer, draft, version=draft.version)


def _properties(cast: Cast) -> None:
    """An administrator of Casino North joins, and acts for Casino East, too; then the companies part."""
    members.set_company("east", "Keystone")
    invitation = Invitation.objects.get(email="a@north.test")
    account = invitations.accept_invitation(invitation, name="North", passphrase="a long summer sentence")
    issued = invitations.invite(cast.manager, email=account.email, name="North", role=Role.PREPARER)
    membership = invitations.accept_membership(account, issued.invitation)
    other = drafts.start_submission(membership, "688a")
    filing.withdraw_submission(cast.manager, other, version=_version(other), reason="Copied.")
    members.set_company("east", "")


def _credentials(cast: Cast, until: datetime) -> None:
    made = [
        api_credentials.issue_credential(cast.manager, name="Floor", scopes=["read"], live=live, expires_at=until)
        for live in (True, False)
    ]
    rotated = api_credentials.rotate_credential(cast.manager, made[0].credential, expires_at=until)
    api_credentials.revoke_credential(cast.manager, rotated.credential)


def _rules(cast: Cast) -> None:
    """The second day: a filing that is returned, filed again and approved; its document."""
    submission = ready_to_file(cast.preparer, CHAPTER)
    group = table_groups.add_group(cast.manager, submission, GroupDescription("High limit", "3, 5", "A"))
    table_groups.remove_group(cast.manager, submission, group.position)
    _file(cast, submission)
    for person in (cast.analyst, cast.director):
        assignments.assign_work(cast.director, submission, person)
    for audience in Remark.Audience:
        comments.write_comment(cast.analyst, submission, revision=1, text="How many decks?", audience=audience)
    internal = Remark.objects.get(audience=Remark.Audience.BOARD)
    comments.say(cast.analyst, internal, text="Two, as the sign says.")
    decisions.return_to_licensee(cast.analyst, submission, version=_version(submission))
    submission.refresh_from_db()
    answer_all(cast.manager, submission)
    _file(cast, submission)
    comments.resolve_comment(cast.analyst, Remark.objects.get(audience=Remark.Audience.LICENSEE))
    _run(Job.Kind.SIMULATE)
    decisions.recommend_approval(cast.analyst, submission, version=_version(submission))
    decisions.approve_submission(
        cast.director,
        submission,
        version=_version(submission),
        confirmed=True,
        conditions=[ConditionText("Post the odds at both entrances.", "§ 686a.12(a)")],
    )
    _run(Job.Kind.DOCUMENT)
    _orders(cast)
    _legal_hold(cast, submission)


def _legal_hold(cast: Cast, submission: Submission) -> None:
    """Placed on the submission and lifted, by an administrator of the Board."""
    row = retention.place_legal_hold(cast.analyst, "A lawsuit.", submission=submission)
    retention.lift_legal_hold(cast.analyst, row, "It ended.")


def _orders(cast: Cast) -> None:
    """A waiver with its document, what replaces it, and the condition that was met."""
    waiver = OrderContent(
        kind="waiver",
        citation="§ 686a.2(f)",
        text="A rack is not needed.",
        first_day=timezone.localdate(),
        chapter=CHAPTER,
        rule="686a.discard-rack-undecided",
    )
    first = order_entry.enter_order(cast.director, waiver, ("waiver.pdf", files.pdf()))
    order_entry.enter_order(cast.director, waiver, replaces=first)
    condition = Order.objects.get(kind="condition")
    order_entry.end_order(cast.director, condition, from_day=timezone.localdate(), reason="They are posted.", met=True)


def _layout(cast: Cast) -> None:
    """The third day: the layout of the game, filed twice and approved; a batch that the manager signs."""
    submission = Submission.objects.get(chapter=CHAPTER)
    filing_row = filed_layout(cast.manager, submission, without=("Over",), parts=(Part.LAYOUT,))
    key = next(element.key for element in layout_review.element_states(filing_row.revisions.get()))
    layout_review.judge(cast.analyst, filing_row, key, accepted=False, reason="It cannot be read.")
    layout_review.notify(
        cast.analyst, filing_row, version=_version(filing_row), deficient={}, reason="See the element."
    )
    filing_row.refresh_from_db()
    uploaded_drawings.set_positions(cast.manager, filing_row, 5)
    draw(cast.manager, filing_row)
    layout_filings.file_layout(cast.manager, filing_row, version=_version(filing_row))
    filing_row.refresh_from_db()
    for element in layout_review.unsettled(filing_row.revisions.latest("number")):
        layout_review.judge(cast.analyst, filing_row, element.key, accepted=True, reason="It is on the felt.")
    layout_review.recommend(cast.analyst, filing_row, version=_version(filing_row), reason="All is there.")
    layout_review.approve(cast.director, filing_row, version=_version(filing_row))
    _run(Job.Kind.PAPERS)
    _tables(cast)
    _batch(cast)


def _tables(cast: Cast) -> None:
    """A table list, and a table that is closed on a later day."""
    today = timezone.localdate()
    rows = [TableRow("12", CHAPTER, details={"pit": "2"}), TableRow("13", "683a")]
    table_lists.change_table_list(cast.preparer, rows, from_day=today)
    closed = [TableRow("13", "683a", state=TableState.CLOSED)]
    table_lists.change_table_list(cast.manager, closed, from_day=today + timedelta(days=7))


def _batch(cast: Cast) -> None:
    draft = ready_to_file(cast.preparer, CHAPTER)
    item = {"action": "file", "submission": draft.number, "version": draft.version}
    upload = intake.Upload([item], "json", "0" * 64)
    batch = intake.accept_upload(cast.manager, upload, mode="live", atomic=False)
    run_task(Job.objects.get(kind=Job.Kind.CHECK, subject=batch.pk))
    batch.refresh_from_db()
    intake.confirm_batch(cast.manager, batch, attested=True)
    _run(Job.Kind.BULK)


def _afterwards(cast: Cast) -> None:
    """The last day: an amendment that is withdrawn, another draft with a file, and the end of the game."""
    submission = Submission.objects.filter(chapter=CHAPTER).earliest("pk")
    _rulemaking(cast)
    draft = copies.start_amendment(cast.manager, submission)
    filing.withdraw_submission(cast.manager, draft, version=_version(draft), reason="Not needed.")
    other = drafts.start_submission(cast.preparer, "688a")
    line = next(option.key for option in _attachment_lines("688a"))
    attachments.attach_file(cast.preparer, other, line, "house rules.pdf", files.pdf())
    versions.discontinue(cast.manager, submission, from_day=timezone.localdate(), reason="The table is sold.")


def _rulemaking(cast: Cast) -> None:
    """One is published, a change of another removed."""
    text = head(CHAPTER) + '[chapter]\nstatus = "final"\n'
    rulemaking = written(cast.analyst, text)
    drafting.remove_change(cast.analyst, rulemaking, CHAPTER, first_day(), version=rulemaking.version)
    rulemaking.refresh_from_db()
    drafting.withdraw_rulemaking(cast.analyst, rulemaking, version=rulemaking.version, reason="Not adopted.")
    published(cast.analyst, cast.director, text)


def _attachment_lines(number: str) -> list:  # type: ignore[type-arg]
    from games.registry import chapter

    return [option for option in chapter(number).options if option.kind == "attachment"]


def _file(cast: Cast, submission: Submission) -> None:
    filing.file_submission(cast.manager, submission, version=_version(submission), attested=True)
    submission.refresh_from_db()


def _version(row: Submission | LayoutFiling) -> int:
    row.refresh_from_db()
    return row.version


def _run(kind: Job.Kind) -> None:
    for job in Job.objects.filter(kind=kind, state=Job.State.DUE):
        run_task(job)
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.message
