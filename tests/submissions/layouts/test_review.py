"""The Board's side of a layout filing (§ 601a.10): judging, notice, report, decision; who may, and who is second."""

from __future__ import annotations

import pytest

from submissions.core.errors import Conflict, Forbidden, Refusal
from submissions.filings.review import comments, decisions
from submissions.layouts import layout_filings, layout_review
from submissions.layouts.required_elements import ElementStatus
from submissions.models import (
    Event,
    Job,
    LayoutDecision,
    LayoutFiling,
    LayoutJudgment,
    LayoutStatus,
    Part,
    Person,
    Remark,
    Submission,
)
from tests.submissions.approved import Cast, change
from tests.submissions.example_drafts import answer_all
from tests.submissions.layout_rows import drawing_row, element, filed_layout, filed_rules, layout_row, report

UNSETTLED = ["odds_sign", "limit_sign"]  # of the reference layout: what no machine can say


@pytest.fixture
def rules(manager: Person) -> Submission:
    return filed_rules(manager)


@pytest.fixture
def layout(manager: Person, rules: Submission) -> LayoutFiling:
    """Filed, with an element that is there, one to be judged and one that is missing."""
    found = report(element("ante"), element("seats", "to_be_judged"), element("rack", "missing", times=0))
    return layout_row(rules.revisions.get(), parts=(Part.LAYOUT,), found=found)


def standing(layout: LayoutFiling, key: str) -> tuple[str, str]:
    found = next(one for one in layout_review.element_states(layout.revisions.latest("number")) if one.key == key)
    return found.status, found.reason


def decide(rules: Submission, analyst: Person, director: Person) -> None:
    for one, act in ((analyst, decisions.recommend_approval), (director, decisions.approve_submission)):
        rules.refresh_from_db()
        act(one, rules, version=rules.version)


def judge_all(layout: LayoutFiling, by: Person) -> None:
    for one in layout_review.unsettled(layout.revisions.latest("number")):
        layout_review.judge(by, layout, one.key, accepted=True)


def test_latest_word_on_an_element_counts(layout: LayoutFiling, analyst: Person, director: Person) -> None:
    layout_review.judge(analyst, layout, "rack", accepted=False, reason="No rack is drawn.")
    first = standing(layout, "rack")
    layout_review.judge(director, layout, "rack", accepted=True, reason="It is beneath the shoe.")
    assert first == (ElementStatus.REFUSED, "No rack is drawn.")
    assert standing(layout, "rack") == (ElementStatus.ACCEPTED, "It is beneath the shoe.")
    assert Event.objects.filter(verb="layout-judged").count() == LayoutJudgment.objects.count() == 2


def test_machine_can_be_contradicted(layout: LayoutFiling, analyst: Person) -> None:
    layout_review.judge(analyst, layout, "ante", accepted=False, reason="That is the heading.")
    assert standing(layout, "ante") == (ElementStatus.REFUSED, "That is the heading.")


@pytest.mark.parametrize(
    ("key", "reason", "code"), [("rack", " ", "reason-missing"), ("deck", "No.", "layout-element")]
)
def test_word_on_an_element_needs_a_reason_and_an_element(
    layout: LayoutFiling, analyst: Person, key: str, reason: str, code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        layout_review.judge(analyst, layout, key, accepted=False, reason=reason)
    assert (refused.value.code, LayoutJudgment.objects.count()) == (code, 0)


def test_only_the_board_judges_and_only_what_is_filed(
    layout: LayoutFiling, manager: Person, stranger: Person, analyst: Person
) -> None:
    for one in (manager, stranger):
        with pytest.raises(Forbidden):
            layout_review.judge(one, layout, "rack", accepted=True)
    layout_review.notify(analyst, layout, version=1, deficient={"rack": "Draw it."})
    with pytest.raises(Forbidden):
        layout_review.judge(analyst, layout, "rack", accepted=True)
    assert not LayoutJudgment.objects.exists()


def test_notice_names_something(layout: LayoutFiling, analyst: Person) -> None:
    with pytest.raises(Refusal) as empty:
        layout_review.notify(analyst, layout, version=1, deficient={}, reason="  ")
    with pytest.raises(Refusal) as unknown:
        layout_review.notify(analyst, layout, version=1, deficient={"deck": "Where?"})
    layout.refresh_from_db()
    assert (empty.value.code, unknown.value.code) == ("layout-notice-empty", "layout-element")
    assert (layout.status, LayoutDecision.objects.count()) == (LayoutStatus.FILED, 0)


def test_notice_keeps_what_it_names(layout: LayoutFiling, analyst: Person) -> None:
    layout_review.notify(analyst, layout, version=1, deficient={"rack": " Draw it. "}, reason="One thing.")
    layout.refresh_from_db()
    notice = LayoutDecision.objects.get()
    named = {"key": "rack", "element": "The rack", "citation": "§ 682a.2(b)(1)", "text": "Draw it."}
    assert (notice.kind, notice.elements, notice.reason) == ("notice", [named], "One thing.")
    assert (layout.status, layout.version) == (LayoutStatus.DEFICIENT, 2)
    assert Event.objects.get(verb="layout-found-deficient").after["elements"] == [named]


def test_notice_about_the_whole_is_one(rules: Submission, analyst: Person) -> None:
    sign = layout_row(rules.revisions.get(), parts=(Part.SIGN,))
    layout_review.notify(analyst, sign, version=1, deficient={}, reason="It is for other tables.")
    assert LayoutDecision.objects.get().elements == []


def test_report_waits_for_every_element(layout: LayoutFiling, analyst: Person) -> None:
    with pytest.raises(Refusal) as two:
        layout_review.recommend(analyst, layout, version=1)
    layout_review.judge(analyst, layout, "seats", accepted=True)
    layout_review.judge(analyst, layout, "rack", accepted=False, reason="Where is it?")
    with pytest.raises(Refusal) as one:
        layout_review.recommend(analyst, layout, version=1)
    layout_review.judge(analyst, layout, "rack", accepted=True)
    layout_review.recommend(analyst, layout, version=1)
    layout.refresh_from_db()
    assert two.value.message == "2 elements without a decision: The seats; The rack."
    assert one.value.message == "1 element without a decision: The rack."
    assert layout.status == LayoutStatus.RECOMMENDED


def test_words_on_an_earlier_filing_do_not_count_for_the_next(
    layout: LayoutFiling, manager: Person, analyst: Person
) -> None:
    judge_all(layout, analyst)
    layout_review.notify(analyst, layout, version=1, deficient={}, reason="It is for other tables.")
    drawing_row(layout, layout.submission.revisions.get(), report(element("rack", "missing", times=0)))
    layout_filings.file_layout(manager, layout, version=2, note="These are the tables.")
    assert [one.status for one in layout_review.unsettled(layout.revisions.latest("number"))] == [ElementStatus.MISSING]


def test_layout_is_not_approved_before_its_rules(layout: LayoutFiling, analyst: Person, director: Person) -> None:
    judge_all(layout, analyst)
    layout_review.recommend(analyst, layout, version=1)
    with pytest.raises(Refusal) as refused:
        layout_review.approve(director, layout, version=2)
    layout.refresh_from_db()
    assert refused.value.code == "layout-before-rules"
    assert "is “Filed”" in refused.value.message
    assert (layout.status, Job.objects.filter(kind=Job.Kind.PAPERS).exists()) == (LayoutStatus.RECOMMENDED, False)


def test_reference_layout_is_approved_with_its_rules_and_its_papers_are_made(
    manager: Person, analyst: Person, director: Person
) -> None:
    rules = Cast(manager, analyst, director, computes=False).version("682a").submission
    layout = filed_layout(manager, rules)
    assert [one.key for one in layout_review.unsettled(layout.revisions.get())] == UNSETTLED
    judge_all(layout, analyst)
    layout_review.recommend(analyst, layout, version=layout.version)
    layout_review.approve(director, layout, version=layout.version + 1)
    layout.refresh_from_db()
    assert layout.status == LayoutStatus.APPROVED
    assert Job.objects.get(kind=Job.Kind.PAPERS).subject == layout.pk


def test_layout_for_other_answers_is_not_approved(
    manager: Person, rules: Submission, analyst: Person, director: Person
) -> None:
    """Reported on for one paytable; the Rules Submission is returned, and approved with another one."""
    cast = Cast(manager, analyst, director, computes=False)
    layout = filed_layout(manager, rules, parts=(Part.SIGN,))
    layout_review.recommend(analyst, layout, version=layout.version)
    decisions.return_to_licensee(analyst, rules, version=rules.version, reason="Which paytable?")
    rules.refresh_from_db()
    asked = Remark.objects.get()
    answer_all(manager, rules)
    change(manager, rules, {"all_six_paytable": "Paytable A"})
    cast.file(rules)
    comments.resolve_comment(analyst, asked)
    decide(rules, analyst, director)
    with pytest.raises(Refusal) as refused:
        layout_review.approve(director, layout, version=layout.version + 1)
    assert refused.value.code == "layout-for-other-answers"
    assert (
        refused.value.message == f"{layout.number}-R1 was filed for {rules.number}-R1, but {rules.number}-R2 requires "
        "another layout."
    )


def test_nobody_decides_on_an_own_report(layout: LayoutFiling, director: Person, other_director: Person) -> None:
    judge_all(layout, director)
    layout_review.recommend(director, layout, version=1)
    with pytest.raises(Forbidden) as own:
        layout_review.approve(director, layout, version=2)
    with pytest.raises(Refusal) as others:  # who may decide hears of the Rules Submission
        layout_review.approve(other_director, layout, version=2)
    assert own.value.message == "You reported on this layout. Another person must decide."
    assert others.value.code == "layout-before-rules"


def test_rejection_is_the_directors_and_has_reasons(layout: LayoutFiling, analyst: Person, director: Person) -> None:
    with pytest.raises(Forbidden):
        layout_review.reject(analyst, layout, version=1, reason="No.")
    with pytest.raises(Refusal) as unreasoned:
        layout_review.reject(director, layout, version=1, reason=" ")
    layout_review.reject(director, layout, version=1, reason="The wager is not authorized.")
    layout.refresh_from_db()
    assert (unreasoned.value.code, layout.status) == ("reason-missing", LayoutStatus.REJECTED)


def test_director_finds_a_reported_layout_deficient(layout: LayoutFiling, analyst: Person, director: Person) -> None:
    judge_all(layout, analyst)
    layout_review.recommend(analyst, layout, version=1)
    layout_review.notify(director, layout, version=2, deficient={"rack": "Draw it."})
    layout.refresh_from_db()
    assert layout.status == LayoutStatus.DEFICIENT


def test_report_on_a_drawing_that_shows_more_needs_a_reason(rules: Submission, analyst: Person) -> None:
    more = {"kind": "not_offered", "message": "“Lo Ball” is printed and not offered", "citation": "§ 683a.2"}
    more |= {"wager": "lo_ball", "where": None}
    sheet = layout_row(rules.revisions.get(), found=report(element("ante"), differences=[more]))
    with pytest.raises(Refusal) as silent:
        layout_review.recommend(analyst, sheet, version=1)
    assert (silent.value.code, "Lo Ball" in silent.value.message) == ("layout-shows-more", True)
    layout_review.recommend(analyst, sheet, version=1, reason="It is covered while the wager is not offered.")


def test_second_of_two_is_told_by_whom_and_when(layout: LayoutFiling, analyst: Person, director: Person) -> None:
    judge_all(layout, analyst)
    layout_review.recommend(analyst, layout, version=1)
    for seen in (1, 2):  # with a page from before, and with one of now
        with pytest.raises(Conflict) as second:
            layout_review.recommend(director, layout, version=seen)
        assert "Analyst One recommended it at " in second.value.message
    assert LayoutDecision.objects.count() == 1
