"""The Board's form on the page of a layout filing, and two drawings compared; what was typed stays after a refusal."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest
from django.http import HttpResponse
from django.urls import reverse

from submissions.layouts import layout_review
from submissions.layouts.pages.review_board import ReviewBoard, review_board
from submissions.layouts.required_elements import difference_key
from submissions.models import (
    LayoutDecision,
    LayoutFiling,
    LayoutJudgment,
    LayoutStatus,
    Part,
    Person,
    Revision,
    Submission,
)
from tests import cast as people
from tests.cast import PASSWORD
from tests.submissions.approved import Cast
from tests.submissions.filing_rows import filing
from tests.submissions.layout_rows import decided, drawing_row, element, filed_again, filed_rules, layout_row, report
from tests.submissions.web.clients import browser

Kind = LayoutDecision.Kind
FLUSH = {
    "kind": "different", "message": "Flush 7 to 1 printed, 6 to 1 chosen", "citation": "§ 682a.12(e)", "wager": "x",
    "where": None,
}  # fmt: skip
PLACE = {"page": 1, "left": 0.1, "top": 0.1, "width": 0.1, "height": 0.1}
HTMX = {"HX-Request": "true"}
POKER = {**FLUSH, "kind": "not_offered", "message": "“Bad Beat” is printed and not offered"}


@pytest.fixture(scope="module", autouse=True)
def filed(module_rows: None) -> Submission:
    return filed_rules(people.manager())


@pytest.fixture
def rules(filed: Submission, db: None) -> Submission:
    return Submission.objects.get(pk=filed.pk)


@pytest.fixture
def layout(rules: Submission) -> LayoutFiling:
    """An element of each kind: found, to be reviewed, missing, different."""
    found = report(
        element("ante"), element("seats", "to_be_judged"), element("rack", "missing", times=0),
        element("odds", "different"), differences=[FLUSH, POKER],
    )  # fmt: skip
    return layout_row(rules.revisions.get(), parts=(Part.LAYOUT,), found=found)


def seen(person: Person, layout: LayoutFiling) -> ReviewBoard:
    layout.refresh_from_db()
    found = review_board(person, layout, {})
    assert found
    return found


def test_clock_is_shown_with_the_note_on_what_stops_it(analyst: Person, layout: LayoutFiling) -> None:
    page = browser(analyst).get(reverse("layout", args=[layout.number])).content.decode()
    assert "Interpretation note: what stops these 15 days" in page
    assert "This is an inference of this portal" in page


def decision(shown: ReviewBoard, key: str, judged: str, word: str = "") -> dict[str, str]:
    """What a browser sends of the form of one line as it was shown, with what was typed into it."""
    line = shown.line_of(key)
    assert line
    sent = {"version": str(shown.filing.version), "element": key, "seen": line.seen, "judged": judged}
    return sent | {"word": word or line.reason}


def judge(person: Person, layout: LayoutFiling, sent: Mapping[str, str], **headers: str) -> HttpResponse:
    return browser(person).post(reverse("layout-judge", args=[layout.number]), sent, headers=headers)


def form(shown: ReviewBoard, **typed: str) -> dict[str, str]:
    """What a browser sends of the form of the decision on the filing."""
    return {"version": str(shown.filing.version), **typed}


def decide(person: Person, layout: LayoutFiling, step: str, sent: Mapping[str, str]) -> HttpResponse:
    return browser(person).post(reverse("layout-decide", args=[layout.number, step]), sent)


def judged() -> list[tuple[str, bool, str]]:
    return list(LayoutJudgment.objects.values_list("element", "accepted", "reason"))


def test_what_a_person_decides_is_before_what_was_found(layout: LayoutFiling, analyst: Person) -> None:
    shown = seen(analyst, layout)
    lines = (*shown.lines, *shown.found_lines)
    assert [(line.number, line.element.name, line.is_open, line.reason) for line in lines] == [
        ("2", "The seats", True, ""), ("3", "The rack", True, ""), ("4", "The odds", True, FLUSH["message"]),
        ("D2", POKER["message"], True, ""), ("1", "The ante", False, ""),
    ]  # fmt: skip
    assert (shown.decided, shown.undecided, shown.other_differences) == (0, 4, [POKER["message"]])
    assert shown.named == ["3. The rack", "4. The odds", f"D2. {POKER['message']}"]


def test_decision_leads_to_the_next_open_line(layout: LayoutFiling, analyst: Person) -> None:
    answer = judge(analyst, layout, decision(seen(analyst, layout), "seats", "accept", "Six.\r\nCounted."))
    assert answer["Location"] == f"/layouts/{layout.number}/#judge-3"
    assert judged() == [("seats", True, "Six.\nCounted.")]
    for key in ("rack", "odds", difference_key(POKER)):
        answer = judge(analyst, layout, decision(seen(analyst, layout), key, "accept"))
    assert (answer["Location"], seen(analyst, layout).undecided) == (f"/layouts/{layout.number}/#decide", 0)


def test_script_gets_only_what_a_decision_changes(layout: LayoutFiling, analyst: Person) -> None:
    answer = judge(analyst, layout, decision(seen(analyst, layout), "seats", "accept"), **HTMX)
    page = answer.content.decode()
    swapped = re.findall(r'id="([a-z0-9-]+)"[^>]*hx-swap-oob', page)
    assert swapped == ["board-progress", "board-surplus", "board-steps", "element-2", "places-1"]
    assert "<html" not in page
    assert page.lstrip().startswith('<li class="judging__line" id="judge-2"')
    assert "1 of 4 decided." in page


def test_refused_word_keeps_what_was_typed(layout: LayoutFiling, analyst: Person) -> None:
    sent = decision(seen(analyst, layout), "rack", "refuse", "\x07 no")
    for headers in ({}, HTMX):
        answer = judge(analyst, layout, sent, **headers)
        page = answer.content.decode()
        assert (answer.status_code, answer.context["refusal"].code, judged()) == (400, "control-characters", [])
        assert 'id="word-error-3"' in page
        assert " no</textarea>" in page
    assert '<a href="#word-3"' in judge(analyst, layout, sent).content.decode()


def test_rejection_of_an_element_needs_a_reason(layout: LayoutFiling, analyst: Person) -> None:
    answer = judge(analyst, layout, decision(seen(analyst, layout), "rack", "refuse"), **HTMX)
    assert (answer.status_code, answer.context["refusal"].code) == (400, "reason-missing")


@pytest.mark.parametrize(("key", "choice"), [("rack", "perhaps"), ("nothing", "accept")])
def test_unknown_decision_is_refused(layout: LayoutFiling, analyst: Person, key: str, choice: str) -> None:
    sent = decision(seen(analyst, layout), "rack", choice) | {"element": key}
    answer = judge(analyst, layout, sent)
    assert (answer.status_code, answer.context["refusal"].code, judged()) == (400, "layout-element", [])


def test_second_to_judge_an_element_is_told(layout: LayoutFiling, analyst: Person, director: Person) -> None:
    before = seen(director, layout)
    layout_review.judge(analyst, layout, "rack", accepted=True, reason="Beneath the shoe.")
    answer = judge(director, layout, decision(before, "rack", "refuse", "Where is it?"))
    assert (answer.status_code, answer.context["refusal"].code) == (409, "judged-meanwhile")
    assert judge(director, layout, decision(before, "seats", "accept")).status_code == 302  # another one
    assert [key for key, *_ in judged()] == ["rack", "seats"]


def test_judging_what_was_decided_meanwhile_tells_by_whom(
    layout: LayoutFiling, analyst: Person, director: Person
) -> None:
    before = seen(director, layout)
    layout_review.notify(analyst, layout, version=1, deficient={"rack": "Draw it."})
    answer = judge(director, layout, decision(before, "seats", "accept"))
    assert answer.status_code == 409
    assert "Analyst One" in answer.context["refusal"].message
    assert judged() == []


def test_notice_names_what_is_wrong_and_not_accepted(layout: LayoutFiling, analyst: Person) -> None:
    judge(analyst, layout, decision(seen(analyst, layout), "odds", "accept"))
    judge(analyst, layout, decision(seen(analyst, layout), "rack", "refuse", "Draw it."))
    answer = decide(analyst, layout, "notify", form(seen(analyst, layout), reason="One thing."))
    notice = LayoutDecision.objects.get()
    assert answer["Location"] == f"/layouts/{layout.number}/"
    assert ([(one["element"], one["text"]) for one in notice.elements], notice.reason) == (
        [("The rack", "Draw it."), (POKER["message"], "")], "One thing.",
    )  # fmt: skip
    page = browser(analyst).get(answer["Location"]).content.decode()
    assert "The licensee corrects what the notice names" in page
    assert '(<a href="#element-D2">D2 in the list</a>)' in page


def test_accepted_difference_needs_no_reason_in_the_report(layout: LayoutFiling, analyst: Person) -> None:
    for key in ("seats", "rack", "odds"):
        layout_review.judge(analyst, layout, key, accepted=True)
    silent = decide(analyst, layout, "recommend", form(seen(analyst, layout)))
    assert (silent.status_code, silent.context["refusal"].code) == (400, "layout-shows-more")
    layout_review.judge(analyst, layout, difference_key(POKER), accepted=False, reason="Cover it.")
    refused = decide(analyst, layout, "recommend", form(seen(analyst, layout), reason="It may stay."))
    assert (refused.status_code, refused.context["refusal"].code) == (400, "layout-unsettled")
    layout_review.judge(analyst, layout, difference_key(POKER), accepted=True)
    assert decide(analyst, layout, "recommend", form(seen(analyst, layout))).status_code == 302


def test_line_shows_the_part_of_the_drawing_beside_the_law(rules: Submission, analyst: Person) -> None:
    words = [
        {"text": text, "line": 0, "read": read, "confidence": sure, **PLACE}
        for text, read, sure in (("Ante", "text", 1.0), ("P1us", "outlined", 0.61))
    ]
    found = report(element("ante", "to_be_judged", where=[PLACE]), element("rack", "missing", times=0))
    layout = layout_row(rules.revisions.get(), parts=(Part.LAYOUT,), found=found | {"words": words})
    ante, rack = seen(analyst, layout).lines
    assert ante.crop
    left, top, width, height = map(float, ante.crop.view.split())
    assert left <= 30 <= 60 <= left + width <= 300
    assert top <= 20 <= 40 <= top + height <= 200
    assert len(ante.crop.frames) == 1
    assert (rack.crop.view, rack.crop.frames) == ("0 0 300 200", ())
    assert "name or logo" in ante.law[0].words
    page = browser(analyst).get(reverse("layout", args=[layout.number])).content.decode()
    picture = reverse("layout-picture", args=[layout.number, layout.drawings.get().pk, 1])
    assert f'<image href="{picture}"' in page
    assert 'aria-label="Part of the drawing: “Ante P1us”, page 1"' in page
    assert re.search(r"P1us\s+<span class=\"quiet\">\(61%\)", page)
    assert "1 word: Recognized from outlines or from a picture in the file, confidence from 61%" in page


def test_steps_are_signed(layout: LayoutFiling, analyst: Person) -> None:
    client, sent = browser(analyst, confirmed=False), form(seen(analyst, layout), reason="One thing.")
    address = reverse("layout-decide", args=[layout.number, "notify"])
    asked = client.post(address, sent)
    assert (asked.status_code, LayoutDecision.objects.count()) == (403, 0)
    assert "One thing.</textarea>" in asked.content.decode()
    assert client.post(address, {**sent, "confirm_password": PASSWORD}).status_code == 302


def test_buttons_that_may_not_be_pressed_say_why(
    layout: LayoutFiling, analyst: Person, director: Person, other_director: Person
) -> None:
    def why(person: Person) -> dict[str, str]:
        return {step.verb: step.verdict.reason for step in seen(person, layout).steps}

    first = why(analyst)
    for one in layout_review.unsettled(layout.revisions.get()):
        layout_review.judge(director, layout, one.key, accepted=True)
    second = why(analyst)
    layout_review.recommend(director, layout, version=1, reason="The Bad Beat area is covered.")
    assert first["recommend"] == "3 elements are not settled yet."
    assert second == {"recommend": "", "notify": "", "reject": "Only a Director may do this."}
    assert why(analyst)["approve"] == "Only a Director may do this."
    assert why(director)["approve"] == "You reported on this layout. Another person must decide."
    rules = layout.submission.number
    assert why(other_director)["approve"].startswith(f"{rules} is “Filed”. Its layout can be approved after")


def test_licensee_sees_nothing_of_the_boards_form(layout: LayoutFiling, manager: Person, analyst: Person) -> None:
    page = reverse("layout", args=[layout.number])
    assert 'id="board"' in browser(analyst).get(page).content.decode()
    assert 'id="board"' not in browser(manager).get(page).content.decode()
    answer = judge(manager, layout, decision(seen(analyst, layout), "seats", "accept"))
    assert (answer.status_code, judged()) == (403, [])


# Two drawings compared.


@pytest.fixture
def corrected(manager: Person) -> tuple[LayoutFiling, Revision]:
    rules = filing(manager, "682a")
    layout = layout_row(rules, found=report(element("ante"), element("rack", "missing", times=0)))
    filed_again(layout, rules, at="2026-11-09T12:00", found=report(element("ante"), element("rack")))
    return layout, rules


def compare(person: Person, layout: LayoutFiling, **asked: object) -> HttpResponse:
    return browser(person).get(reverse("layout-compare", args=[layout.number]), asked)


@pytest.mark.parametrize("who", ["manager", "analyst"])
def test_latest_drawing_is_compared_with_the_one_before_it(
    request: pytest.FixtureRequest, corrected: tuple[LayoutFiling, Revision], who: str
) -> None:
    layout, _ = corrected
    answer = compare(request.getfixturevalue(who), layout)
    earlier, later = (answer.context[which].drawing for which in ("before", "after"))
    assert [earlier.name, later.name] == ["felt-1.svg", "felt-2.svg"]
    assert [(one.change.what, one.change.before, one.change.after) for one in answer.context["changes"]] == [
        ("The rack", "Not found", "Found")
    ]
    words = answer.content.decode()
    for drawing in (earlier, later):
        assert f'href="{reverse("layout-picture", args=[layout.number, drawing.pk, 1])}"' in words


def test_drawings_to_compare_are_chosen_in_the_address(
    corrected: tuple[LayoutFiling, Revision], analyst: Person
) -> None:
    layout, _ = corrected
    first, second = layout.drawings.order_by("pk")
    answer = compare(analyst, layout, before=second.pk, after=first.pk)
    assert [one.change.after for one in answer.context["changes"]] == ["Not found"]
    assert compare(analyst, layout, before="x").status_code == 404


def test_approved_drawing_of_the_same_game_is_compared_with(
    corrected: tuple[LayoutFiling, Revision], manager: Person, analyst: Person, director: Person
) -> None:
    layout, rules = corrected
    decided(layout, Kind.APPROVE, director, at="2026-11-10T12:00")
    LayoutFiling.objects.filter(pk=layout.pk).update(status=LayoutStatus.APPROVED)
    amended = layout_row(rules, at="2026-11-20T12:00", found=report(element("ante"), element("rack", "too_few")))
    answer = compare(analyst, amended)
    assert answer.context["before"].name.startswith(f"{layout.number}-R2, approved: felt-2.svg")
    assert [(one.change.before, one.change.after) for one in answer.context["changes"]] == [("Found", "Too few")]


def test_amended_paytable_is_told_where_a_drawing_has_the_odds(
    manager: Person, analyst: Person, director: Person
) -> None:
    cast = Cast(manager, analyst, director, computes=False)
    silent, printed = report(element("ante")), report(element("odds_sign", where=[PLACE]))
    first = cast.version("682a", all_six_paytable="Paytable A")
    approved = layout_row(first, status=LayoutStatus.APPROVED, found=silent)
    decided(approved, Kind.APPROVE, director, at="2026-11-10T12:00")
    second = cast.amend(first.submission, all_six_paytable="Paytable E")
    whys = [compare(analyst, layout_row(second, found=found)).context["why"] for found in (silent, printed)]
    assert whys == [(), ("All-Six Bonus: paytable A → E, § 682a.12(f)",)]


def test_drawing_that_is_not_to_be_seen_is_not_compared(
    corrected: tuple[LayoutFiling, Revision], stranger: Person, analyst: Person, director: Person, manager: Person
) -> None:
    layout, rules = corrected
    unfiled = drawing_row(layout, rules)
    others = layout_row(filing(stranger, "682a"))
    decided(others, Kind.APPROVE, director, at="2026-11-10T12:00")
    theirs = others.drawings.get()
    answers = [compare(analyst, layout, before=pk) for pk in (unfiled.pk, theirs.pk)]
    assert [one.status_code for one in (*answers, compare(manager, layout, before=theirs.pk))] == [404, 404, 404]
    assert compare(manager, layout, before=unfiled.pk).status_code == 200
    assert compare(stranger, layout).status_code == 404


def test_only_drawing_has_nothing_to_be_compared_with(manager: Person, analyst: Person) -> None:
    layout = layout_row(filing(manager, "682a"))
    page = reverse("layout", args=[layout.number])
    assert "only one drawing" in compare(analyst, layout).content.decode()
    assert reverse("layout-compare", args=[layout.number]) not in browser(analyst).get(page).content.decode()
    filed_again(layout, layout.submission.revisions.get(), at="2026-11-09T12:00")
    for person in (analyst, manager):
        assert reverse("layout-compare", args=[layout.number]) in browser(person).get(page).content.decode()
