"""Layout, sign and guide follow a version: approved for its answers, and required again by the next version.

The drawings and their reports are rows; the inspection of a real one: `test_review`, `inspection`.
"""

from __future__ import annotations

import pytest
from django.db import connection

from submissions.audit import row_verification
from submissions.core import append_only
from submissions.core.errors import Conflict, Refusal
from submissions.filings import copies, drafts
from submissions.layouts import layout_filings, layout_review, readiness
from submissions.models import Event, LayoutFiling, LayoutStatus, Notice, Part, Person, Revision
from submissions.permissions import history_visible_to
from tests.submissions.approved import Cast, change
from tests.submissions.layout_rows import drawing_row, element, report

GAME = "682a"
ALL = tuple(Part)
ODDS_ON_LAYOUT = {"all_six_paytable": "Paytable A", "odds_posted": "layout"}
SHOWS_ALL = report(element("ante"))
OTHER_ODDS = {
    "kind": "different",
    "message": "55 to 1 printed, 50 to 1 chosen",
    "citation": "§ 682a.12(f)",
    "where": None,
}


@pytest.fixture
def cast(manager: Person, analyst: Person, director: Person) -> Cast:
    return Cast(manager, analyst, director, computes=False)


def filed(cast: Cast, revision: Revision, parts: tuple[str, ...] = ALL) -> LayoutFiling:
    """Return a filing with a drawing that shows everything, filed."""
    filing = layout_filings.start_layout_filing(cast.manager, revision.submission, 0, parts)
    if filing.has_layout:
        drawing_row(filing, revision, SHOWS_ALL)
    layout_filings.file_layout(cast.manager, filing, version=filing.version)
    filing.refresh_from_db()
    return filing


def approved(cast: Cast, filing: LayoutFiling) -> LayoutFiling:
    for one in layout_review.unsettled(filing.revisions.latest("number")):
        layout_review.judge(cast.analyst, filing, one.key, accepted=True)
    layout_review.recommend(cast.analyst, filing, version=filing.version)
    filing.refresh_from_db()
    layout_review.approve(cast.director, filing, version=filing.version)
    filing.refresh_from_db()
    return filing


def test_version_is_ready_once_its_papers_are_approved_and_a_paytable_asks_for_them_anew(cast: Cast) -> None:
    first = cast.version(GAME, **ODDS_ON_LAYOUT)
    [group] = readiness.readiness_of_revision(first)
    assert [one.state for one in group.parts] == ["not-filed"] * 3
    assert not readiness.is_cleared_for_play([group])
    filing = filed(cast, first)
    [group] = readiness.readiness_of_revision(first)
    assert (group.under_way, {one.state for one in group.parts}) == (filing, {"under-way"})
    approved(cast, filing)
    assert readiness.is_cleared_for_play(readiness.readiness_of_revision(first))
    draft = copies.start_amendment(cast.manager, first.submission)
    assert readiness.is_cleared_for_play(readiness.readiness_of_draft(draft))  # nothing is changed yet
    change(cast.manager, draft, {"all_six_paytable": "Paytable E"})
    [group] = readiness.readiness_of_draft(draft)
    assert [one.state for one in group.parts] == ["must-follow"] * 3
    assert all(any("All-Six Bonus: paytable A → paytable E" in why or "All-Six Bonus: paytable A → E" in why
                   for why in one.why) for one in group.parts), [one.why for one in group.parts]  # fmt: skip
    second = cast.approve(draft)
    assert not readiness.is_cleared_for_play(readiness.readiness_of_revision(second))
    approved(cast, filed(cast, second))
    assert readiness.is_cleared_for_play(readiness.readiness_of_revision(second))


def test_layout_that_prints_no_odds_does_not_follow_those_of_the_sign(cast: Cast) -> None:
    first = cast.version(GAME, all_six_paytable="Paytable A", odds_posted="sign")
    approved(cast, filed(cast, first))
    [group] = readiness.readiness_of_revision(cast.amend(first.submission, all_six_paytable="Paytable B"))
    assert [one.state for one in group.parts] == ["follows", "must-follow", "must-follow"]


def test_papers_that_were_never_approved_are_not_filed_or_rejected(cast: Cast) -> None:
    revision = cast.version(GAME)
    filing = filed(cast, revision, (Part.SIGN,))
    layout_review.reject(cast.director, filing, version=filing.version, reason="The sign is for other tables.")
    [group] = readiness.readiness_of_revision(revision)
    assert [(one.state, one.filing) for one in group.parts] == [
        ("not-filed", None),
        ("not-approved", filing),
        ("not-filed", None),
    ]
    assert group.button == "File layout, sign and guide"


def test_button_says_updates_only_where_each_paper_was_approved_before(cast: Cast) -> None:
    first = cast.version(GAME, all_six_paytable="Paytable A", odds_posted="sign")
    approved(cast, filed(cast, first, (Part.SIGN,)))
    [group] = readiness.readiness_of_revision(cast.amend(first.submission, all_six_paytable="Paytable B"))
    assert [one.state for one in group.parts] == ["not-filed", "must-follow", "not-filed"]
    assert group.button == "File layout, sign and guide"
    [group] = readiness.readiness_of_revision(first)
    assert group.button == "File layout and guide"


def test_chapter_without_its_text_asks_for_no_guide_and_says_why(preparer: Person) -> None:
    [group] = readiness.readiness_of_draft(drafts.start_submission(preparer, "657a"))
    assert [one.part for one in group.parts] == [Part.LAYOUT, Part.SIGN]
    assert "is not available" in group.no_guide


def test_papers_of_another_casino_make_nobody_ready(cast: Cast, stranger: Person) -> None:
    revision = cast.version(GAME, **ODDS_ON_LAYOUT)
    approved(cast, filed(cast, revision))
    theirs = Cast(stranger, cast.analyst, cast.director, computes=False).version(GAME, **ODDS_ON_LAYOUT)
    assert not readiness.is_cleared_for_play(readiness.readiness_of_revision(theirs))


def test_layout_is_not_approved_before_its_rules_nor_for_other_answers(cast: Cast, manager: Person) -> None:
    revision = cast.version(GAME, **ODDS_ON_LAYOUT)
    draft = copies.start_amendment(manager, revision.submission)
    change(manager, draft, {"all_six_paytable": "Paytable E"})
    amended = cast.file(draft)
    filing = filed(cast, amended, (Part.SIGN,))
    with pytest.raises(Refusal, match="can be approved after the Rules Submission"):
        approved(cast, filing)
    filing.refresh_from_db()
    assert filing.status == LayoutStatus.RECOMMENDED


def test_one_filing_is_open_for_a_group(cast: Cast) -> None:
    revision = cast.version(GAME)
    layout_filings.start_layout_filing(cast.manager, revision.submission, 0, ALL)
    with pytest.raises(Conflict, match="is open for these tables"):
        layout_filings.start_layout_filing(cast.manager, revision.submission, 0, [Part.SIGN])


def test_deficient_layout_is_filed_anew_only_with_something_new(cast: Cast) -> None:
    revision = cast.version(GAME, **ODDS_ON_LAYOUT)
    filing = layout_filings.start_layout_filing(cast.manager, revision.submission, 0, [Part.LAYOUT])
    drawing_row(filing, revision, report(element("ante"), differences=[OTHER_ODDS]))
    with pytest.raises(Refusal, match="differ") as refused:
        layout_filings.file_layout(cast.manager, filing, version=filing.version)
    assert refused.value.code == "layout-deficient"
    layout_filings.file_layout(cast.manager, filing, version=filing.version, note="The felt is printed so.")
    filing.refresh_from_db()
    layout_review.notify(cast.analyst, filing, version=filing.version, deficient={}, reason="Print the odds chosen.")
    filing.refresh_from_db()
    with pytest.raises(Refusal, match="Nothing was changed"):
        layout_filings.file_layout(cast.manager, filing, version=filing.version)
    drawing_row(filing, revision, SHOWS_ALL)
    layout_filings.file_layout(cast.manager, filing, version=filing.version)
    assert filing.revisions.count() == 2


def test_history_that_lost_a_layout_names_what_no_event_tells(cast: Cast) -> None:
    filing = approved(cast, filed(cast, cast.version(GAME, **ODDS_ON_LAYOUT)))
    before = set(row_verification.unrecorded_changes())  # the fixture's rows
    append_only.drop(connection)
    try:
        Event.objects.filter(verb__in=("layout-filed", "layout-approved")).update(verb="saved")
    finally:
        append_only.create(connection)
    receipt = filing.revisions.get().receipt
    assert set(row_verification.unrecorded_changes()) - before == {f"the filing {receipt}", f"{receipt}: approved"}


def test_draft_that_is_given_up_makes_room_and_the_board_never_hears_of_it(cast: Cast) -> None:
    revision = cast.version(GAME)
    draft = layout_filings.start_layout_filing(cast.manager, revision.submission, 0, ALL)
    layout_filings.withdraw_layout(cast.manager, draft, version=draft.version, reason="For other tables.")
    assert layout_filings.start_layout_filing(cast.manager, revision.submission, 0, ALL).number != draft.number
    seen = history_visible_to(cast.analyst, revision.submission).values_list("verb", flat=True)
    assert not [verb for verb in seen if verb.startswith("layout-")]
    assert not Notice.objects.filter(event__verb__startswith="layout-").exists()
