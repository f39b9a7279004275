"""The updates that a change requires: exactly the papers that no longer match, each with the reasons in words."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from itertools import islice

import pytest
from django.template.loader import render_to_string

from games.registry import chapter
from games.rules.evaluate import judge
from games.rules.model import Answer, Answers, Chapter, Option
from submissions.layouts import paper_content
from submissions.layouts.reference_drawing.drawing_sheet import layout_svg
from submissions.layouts.required_facts import PartFacts, UpdateReason, facts_shown, updates_required
from submissions.models import Part
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import NUMBERS, alike, drawn
from tests.submissions.layouts.papers import DRAFT
from tests.timing import is_quicker

SVG_GROUP = "{http://www.w3.org/2000/svg}g"
A_TO_E = "All-Six Bonus: paytable A → E, § 682a.12(f)"


def following(number: str, before: Answers, after: Answers, **how: bool) -> dict[str, tuple[str, ...]]:
    return {one.part: one.why for one in updates_required(chapter(number), before, after, **how)}


def prime(**anew: Answer) -> Answers:
    return example("682a", **anew)


def digests(chapter: Chapter, answers: Answers, **how: bool) -> dict[str, str]:
    return {part: one.digest for part, one in facts_shown(chapter, answers, **how).items()}


def changed(before: dict[str, PartFacts], after: dict[str, PartFacts]) -> set[str]:
    return {part for part in Part if before[part].digest != after[part].digest}


def others(of: Chapter, option: Option, given: Answer) -> Iterator[Answer]:
    """Every other answer where there is a list of them, else one other."""
    if option.kind == "yes_no":
        yield given is not True
    elif option.kind == "paytable":
        yield from (table.name for table in of.tables_of(option.wager) if table.name != given)
    elif option.kind == "choice":
        yield from (choice.value for choice in option.choices if choice.value != given)
    elif option.kind == "count":
        yield (given if isinstance(given, int) else 1) + 1
    elif option.kind in ("money", "percent", "text"):
        yield "7" if given != "7" else "8"


def anew(number: str) -> Iterator[tuple[Option, Answers]]:
    """The example with each line in turn answered otherwise, in at most two ways."""
    of, given = chapter(number), example(number)
    for line in of.options:
        for new in islice(others(of, line, given.get(line.key)), 2):
            yield line, {**given, line.key: new}


def on_paper(of: Chapter, answers: Answers) -> dict[str, object]:
    """What the portal's own papers show: the elements drawn with their words, the pages of sign and guide."""
    return {
        "layout": _drawn(of, answers),
        "sign": _page("sign", of, paper_content.payout_sign_content(of, answers)),
        "guide": _guide(of, answers),
    }


def _drawn(of: Chapter, answers: Answers) -> list[tuple[str, str]]:
    signs = {one.key for one in of.layout if one.kind == "sign"}  # beneath the drawing
    sheet = ET.fromstring(layout_svg(of, answers, licensee=DRAFT.licensee))  # noqa: S314
    named = [(part.get("data-element", ""), "".join(part.itertext())) for part in sheet.iter(SVG_GROUP)]
    return sorted((key, words) for key, words in named if key and key not in signs)


def _page(part: str, of: Chapter, content: Mapping[str, object]) -> str:
    told = {**content, "game": of.title, "chapter": of.number, "stated": DRAFT}
    return render_to_string(f"documents/{part}.html", told)


def _guide(of: Chapter, answers: Answers) -> str:
    try:
        return _page("guide", of, paper_content.guide_content(of, answers))
    except paper_content.GuideMissing as missing:
        return str(missing)


def test_another_paytable_is_followed_by_layout_sign_and_guide() -> None:
    found = updates_required(
        chapter("682a"), prime(all_six_paytable="Paytable A"), prime(all_six_paytable="Paytable E")
    )
    spared = "Six-card royal flush—diamonds; Six-card royal flush—hearts, spades or clubs"
    royal = "“A six-card royal flush is paid as a royal flush” → “A six-card royal flush is paid in full, even above"
    beneath = f"All-Six Bonus: {royal} the payout limit”, § 682a.12(f)"
    why = (A_TO_E, beneath, f"Payout limit, not including: {spared} (now shown), § 682a.12(g)")
    assert found == (UpdateReason("layout", (A_TO_E,)), UpdateReason("sign", why), UpdateReason("guide", why))


def test_odds_that_a_sign_posts_are_no_part_of_a_felt_that_is_known_to_print_none() -> None:
    before, after = prime(all_six_paytable="Paytable A"), prime(all_six_paytable="Paytable E")
    assert following("682a", before, after, odds_repeated=False).keys() == {"sign", "guide"}
    printed = {"odds_posted": "layout"}
    assert following("682a", {**before, **printed}, {**after, **printed}, odds_repeated=False)["layout"] == (A_TO_E,)


def test_wager_no_longer_offered_is_told_of_area_odds_and_round() -> None:
    found = following("683a", example("683a"), example("683a", lo_ball_wager=False))
    assert found["layout"] == (
        "A separate betting area for the Lo Ball Wager: no longer called for, § 683a.2(b)(3)",
        "Lo Ball: paytable B (no longer shown), § 683a.12(d)",
    )
    assert found["sign"] == ("Lo Ball: paytable B (no longer shown), § 683a.12(d)",)
    assert found["guide"][0].startswith("A round of play: “You may also place a Lo Ball Wager.")
    back = following("683a", example("683a", lo_ball_wager=False), example("683a"))
    assert back["layout"][0] == "A separate betting area for the Lo Ball Wager: now called for, § 683a.2(b)(3)"


def test_wagers_and_outcomes_of_the_limit_are_followed_by_sign_and_guide() -> None:
    found = following("682a", prime(), prime(all_six_wager=False))
    covers = "Payout limit, for: Aces Bonus Wager, All-Six Bonus Wager → Aces Bonus Wager, § 682a.12(g)"
    assert covers in found["sign"]
    assert covers in found["guide"]
    spared = [said for said in found["sign"] if said.startswith("Payout limit, not including: ")]
    assert [said.endswith("(no longer shown), § 682a.12(g)") for said in spared] == [True]


def test_paytable_that_is_not_chosen_is_said_on_the_sign() -> None:
    found = following("682a", prime(prime_paytable=None), prime(prime_paytable="Paytable B"))
    assert found["layout"] == ("Prime: paytable B (now shown), § 682a.12(d)",)
    assert found["sign"] == (
        "Prime: paytable B (now shown), § 682a.12(d)",
        "Prime: The paytable is not chosen yet (no longer shown), § 682a.7(d)(2)",
    )


def test_limit_on_a_sign_is_no_part_of_the_layout() -> None:
    found = following("682a", prime(limit_posted="sign"), prime(limit_posted="sign", payout_limit="75000.00"))
    why = ("Payout limit: $50,000.00 → $75,000.00, § 682a.12(g)",)
    assert found == {"sign": why, "guide": why}


def test_limit_on_the_layout_is_followed_by_the_layout_too() -> None:
    found = following("682a", prime(limit_posted="layout"), prime(limit_posted="layout", payout_limit="75000.00"))
    element = "An inscription of the payout limit per player per round of play"
    assert found["layout"] == (f"{element}: “$50,000” → “$75,000”, § 682a.2(b)(5)",)
    assert found.keys() == set(Part)


def test_way_of_shuffling_is_told_to_players_and_drawn_and_is_on_no_sign() -> None:
    found = following("682a", prime(automated_shuffler=True), prime(automated_shuffler=False))
    by_device, by_hand = (
        "An automated card shuffling device shuffles the cards",
        "The dealer shuffles the cards",
    )
    assert found["guide"] == (f"At this table: “{by_device}” → “{by_hand}”, § 682a.5(a)",)
    assert found.keys() == {"layout", "guide"}


def test_what_the_house_does_among_itself_is_on_no_paper() -> None:
    assert updates_required(chapter("682a"), prime(), prime(two_decks=False, preinspected_cards=False)) == ()
    assert updates_required(chapter("682a"), prime(), prime(from_hand_tables="1-9")) == ()


def test_paytables_with_the_same_rows_differ_where_their_meters_are_shown() -> None:
    one, three = (example("688a", progressive_paytable=f"Paytable {number}") for number in (1, 3))
    found = following("688a", one, three)
    assert found.keys() == {"sign", "guide"}
    assert "Progressive Payout, meter begins at: $10,000 → $2,000, § 688a.12(d)" in found["sign"]


def test_answer_to_a_line_that_is_not_asked_is_on_no_paper() -> None:
    without = prime(all_six_wager=False)
    assert updates_required(chapter("682a"), without, {**without, "all_six_paytable": "Paytable A"}) == ()


@pytest.mark.parametrize("number", NUMBERS)
def test_equal_answers_are_followed_by_nothing(number: str) -> None:
    for answers in (example(number), alike(number, True), alike(number, False), {}):
        turned = dict(reversed(answers.items()))
        assert updates_required(chapter(number), answers, turned) == ()


@pytest.mark.parametrize("number", NUMBERS)
def test_digest_changes_exactly_where_a_fact_does_and_says_why(number: str) -> None:
    of, before = chapter(number), facts_shown(chapter(number), example(number))
    for _, answers in anew(number):
        after = facts_shown(of, answers)
        differ = {part for part in Part if _shows(before[part]) != _shows(after[part])}
        assert changed(before, after) == differ
        found = updates_required(of, example(number), answers) if differ else ()
        assert {one.part for one in found} == differ
        assert all(one.why and all(re.search(r", (§|Chapter) \S+$", said) for said in one.why) for one in found)


def _shows(of: PartFacts) -> dict[str, tuple[object, ...]]:
    return {key: fact.shows for key, fact in of.facts.items()}


@pytest.mark.parametrize("number", NUMBERS)
def test_papers_that_the_portal_draws_change_exactly_where_their_digests_do(number: str) -> None:
    of, given = chapter(number), example(number)
    before, were = on_paper(of, given), digests(of, given, odds_repeated=False)
    for line, answers in anew(number):
        after, are = on_paper(of, answers), digests(of, answers, odds_repeated=False)
        for part in Part:
            assert (before[part] != after[part]) == (were[part] != are[part]), (line.key, part)


@pytest.mark.parametrize("number", NUMBERS)
def test_another_paytable_of_a_wager_offered_is_always_followed_by_the_sign(number: str) -> None:
    of = chapter(number)
    for given in (example(number), alike(number, True)):
        asked = judge(of, given).asked_keys
        lines = [line for line in of.options if line.kind == "paytable" and line.key in asked]
        for line in lines:
            for name in others(of, line, given[line.key]):
                after = {**given, line.key: name}
                assert "sign" in {one.part for one in updates_required(of, given, after)}, (line.key, name)


@pytest.mark.parametrize("number", ["655a", "657a"])
def test_guide_that_cannot_be_written_says_so_and_never_changes(number: str) -> None:
    found = [facts_shown(chapter(number), answers)["guide"] for answers in (example(number), {}, drawn(number, 1))]
    assert len({one.digest for one in found}) == 1
    assert f"The text of Chapter {number} is not available" in found[0].facts["missing"].words


def test_parts_and_chapters_never_share_a_digest() -> None:
    found = [digest for number in NUMBERS for digest in digests(chapter(number), {}).values()]
    assert len(found) == len(set(found)) == 3 * len(NUMBERS)


@pytest.mark.parametrize("number", ["588", "637a", "677a", "687a"])  # those that take longest
def test_all_three_are_known_at_once(number: str) -> None:
    assert is_quicker(lambda: facts_shown(chapter(number), alike(number, True)), 0.020, times=3)  # seconds
