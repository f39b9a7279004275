"""The lines of the official forms, in their order, as the regulatory analysis form prints them."""

import pytest

from games.registry import chapter, folders

FORMS = {
    "686a": {
        "discard_rack_equal": ".2(d)",
        "discard_rack_marked": ".2(d)",
        "automated_shuffler": ".3(b)",
        "continuous_shuffler": ".3(a)",  # the form: .3(b)
        "preinspected_cards": ".4(e)",
        "verbal_wagers": ".6(a)",
        "bonus_wager": ".6(e)",
        "adjacent_boxes_allowed": ".6(f)",
        "adjacent_boxes": ".6(f)",
    },
    "687a": {
        "automated_shuffler": ".3(b)",
        "preinspected_cards": ".4(e)",
        "shuffler_counts_cards": ".5(b)",
        "manual_shoe": ".8(a)",
        "from_hand": ".9(a)",
        "automated_shoe": ".10(a)",
        "abandoned_wagers": ".7(b)",
        "adjacent_boxes_allowed": ".7(e)",
        "adjacent_boxes": ".7(e)",  # the form: .7(d)(2)
        "progressive_bonus_wager": ".7(d)(2)",
        "progressive_bet": ".12(c)",  # the form: .11(b)(3)
        "folded_hands_qualify": ".11(b)(3)",
        "trips_bonus_wager": ".7(d)(3)",
        "trips_paytable": ".12(d)",
        "bad_beat_wager": ".7(d)(4)",
        "bad_beat_paytable": ".12(e)",
    },
    "688a": {
        "pai_gow_shaker": ".2(c)(1)",
        "random_number_generator": ".2(c)(2)",
        "automated_shuffler": ".3(b)",
        "preinspected_cards": ".4(e)",
        "marks_starting_position": ".5(j)",
        "marker_object": ".5(j)",
        "abandoned_wagers": ".7(b)",
        "ace_high_wager": ".7(e)(1)",
        "ace_high_paytable": ".12(b)",
        "fortune_wager": ".7(e)(2)",
        "fortune_paytable": ".12(c)",
        "progressive_payout_wager": ".7(e)(3)",
        "progressive_paytable": ".12(d)",
        "adjacent_boxes_allowed": ".7(f)",
        "manual_shoe": ".8(a)",
        "from_hand": ".9(a)",
        "automated_shoe": ".10(a)",
        "house_rules": ".11(a)",  # the form: .11(c)
    },
}


@pytest.mark.parametrize("number", FORMS)
def test_form_lines_stand_in_the_forms_order_with_their_sections(number: str) -> None:
    lines = {
        option.key: option.citation.removeprefix(f"§ {number}")
        for option in chapter(number).options
        if option.basis == "form" and option.limits.format != "tables"
    }
    assert list(lines.items()) == list(FORMS[number].items())


@pytest.mark.parametrize("number", folders())
def test_groups_are_consecutive(number: str) -> None:
    groups = [option.group for option in chapter(number).options]
    changes = [group for place, group in enumerate(groups) if place == 0 or groups[place - 1] != group]
    assert len(changes) == len(set(changes))


@pytest.mark.parametrize("number", FORMS)
def test_optional_wagers_are_offered_by_lines_of_the_form(number: str) -> None:
    offers = [wager.offered_by for wager in chapter(number).wagers if wager.offered_by]
    assert offers == [key for key in FORMS[number] if key in offers]


@pytest.mark.parametrize(
    ("number", "phrase"), [("686a", "reshuffled"), ("687a", "payable"), ("688a", "payable"), ("687a", "reshuffled")]
)
def test_slips_of_the_form_are_kept_as_printed(number: str, phrase: str) -> None:
    kept = [option for option in chapter(number).options if phrase in option.as_printed.rstrip("?").split()]
    assert kept
    assert not [option for option in kept if phrase in option.question.rstrip("?").split()]
