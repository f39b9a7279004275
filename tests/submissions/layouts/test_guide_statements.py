"""Statements to players that were false once: each is held against the paytable in use or the settlement."""

from __future__ import annotations

from typing import Any

import pytest

from games.registry import chapter, play, words
from games.rules.model import Paytable
from games.rules.phrases import HAND_OF_ITS_PAYTABLE, lowest_paid, returned_rows
from games.rules.words import named_wagers
from submissions.layouts.paper_content import guide_content, offer, payout_sign_content
from tests.games.chapters.examples import example
from tests.submissions.layouts.filled import WITH_GUIDE, alike
from tests.submissions.layouts.guide_words import size, step, steps, table

OVER_21 = "If your hand goes over 21, it loses, no matter what the dealer draws."

PROGRESSIVE_PAYTABLES = [f"Paytable {number}" for number in range(1, 8)]  # of 688a


def test_split_hand_of_spanish_21_is_paid_one_to_one() -> None:
    fixed = {wager.wager: wager.fixed for wager in guide_content(chapter("635a"), example("635a"))["wagers"]}
    assert fixed["split"] == "1 to 1, also for an ace with a 10-value card"
    assert "On a split hand it is 21, not a Blackjack." in step("635a", "Cards from 2 to 9")


def test_nothing_is_wild_for_the_progressive_bonus_wager_of_dj_wild() -> None:
    assert "For this wager only, no card is wild. A 2 counts as a 2" in step("687a", "place a Progressive Bonus Wager")


def test_pair_of_10s_is_a_push_in_criss_cross_poker() -> None:
    assert table("592", "bet").beneath == ("A pair of 10s is a push: the bet is returned.",)
    settled = step("592", "Across Hand is")
    assert "is a pair of jacks or better, the Ante Across Wager and the Across Bet are paid" in settled
    assert "returned with a pair of 6s through 10s, and lose with less" in settled


@pytest.mark.parametrize("paytable", PROGRESSIVE_PAYTABLES)
def test_progressive_wager_of_face_up_pai_gow_wins_from_the_lowest_row(paytable: str) -> None:
    rows = chapter("688a").paytable("progressive", paytable).rows
    lowest = {"Straight": "a straight", "Full House": "a full house", "Four of a Kind": "four of a kind"}
    said = step("688a", "place a Progressive Payout Wager", progressive_paytable=paytable)
    assert f"form {lowest[rows[-1].outcome]} or better." in said


def test_bad_beat_bonus_of_dj_wild_is_told_as_it_is_settled() -> None:
    """Two ways: the figures count each beaten hand of three-of-a-kind or better, the player's and the dealer's."""
    said = step("687a", "place a Two-Way Bad Beat Bonus Wager")
    assert "your hand or the dealer's is three-of-a-kind or better and is beaten by the other" in said


@pytest.mark.parametrize("number", ["581", "590", "635a"])
def test_hand_over_21_loses_before_the_dealer_draws(number: str) -> None:
    lines = steps(number)
    wins = next(place for place, words in enumerate(lines) if words.find("it wins when the dealer") > 0)
    assert lines.index(OVER_21) < wins
    assert "If your hand is 21 or less, it wins when" in lines[wins]


def test_hand_over_21_without_a_second_chance_loses() -> None:
    assert "Without it, the hand loses, no matter what the dealer draws." in step("591", "If your hand goes over 21")


def test_blackjack_beats_a_21_of_three_cards_in_double_attack() -> None:
    assert "your Blackjack beats a dealer's 21 of three or more cards" in step("581", "The dealer turns over")
    assert "paid at once, 1 to 1, on the Bet and Double Attack Wagers" in step("581", "If you have a Blackjack")


@pytest.mark.parametrize("paytable", ["Paytable A", "Paytable B", "Paytable C"])
def test_pair_of_6s_to_10s_is_returned_in_cajun_stud(paytable: str) -> None:
    settled = step("683a", "The third community card", ante_paytable=paytable)
    assert "With a pair of jacks or better your Ante and Raise Wagers are paid" in settled
    assert "They are returned with a pair of 6s to 10s, and lose with less." in settled
    assert guide_content(chapter("683a"), example("683a"))["object"][0].startswith("Make a pair of jacks or better")


def test_odds_and_blind_wagers_are_returned_for_low_winning_hands() -> None:
    odds = step("677a", "The hands are compared")
    assert (
        "the Odds Wager is paid with a straight or better. With a lower winning hand the Odds Wager is returned" in odds
    )
    blind = step("687a", "announces the best hand")
    assert "the Blind Wager is paid with a straight or better. With three-of-a-kind or less the Blind Wager is" in blind


@pytest.mark.parametrize(("number", "wager"), [("677a", "bad_beat"), ("677a", "pocket_bonus"), ("655a", "three_card")])
def test_odds_that_are_not_in_the_text_say_so(number: str, wager: str) -> None:
    answers = alike(number, True)
    columns = payout_sign_content(chapter(number), answers)["columns"]
    (shown,) = [board.table for column in columns for board in column if board.wager == wager]
    assert "These odds are in general use. They are not in the available text." in shown.beneath
    assert chapter(number).wager(wager).name in payout_sign_content(chapter(number), answers)["not_cleared_for_play"]


def test_guide_with_odds_that_are_not_in_the_text_is_not_cleared_for_play() -> None:
    why = "The payout odds of the Bad Beat Bonus are not in the available text: those shown are in general use."
    assert guide_content(chapter("677a"), example("677a"))["not_cleared_for_play"] == why
    assert guide_content(chapter("683a"), example("683a"))["not_cleared_for_play"] == ""


def test_every_total_that_does_not_win_over_under_loses() -> None:
    """The exact outcomes of the Ante Wager have no returned row: what does not win, loses."""
    (ante,) = [wager for wager in play("686a").analyze(chapter("686a"), example("686a")) if wager.wager == "ante"]
    assert {row.net for row in ante.outcomes if "surrender" not in row.outcome.lower()} == {2, -2}
    said = step("686a", "With an Over 23 Wager")
    assert "win on 24 to 33. They lose on 23 or less" in said
    assert "win on 6 to 17. They lose on 18 or more" in said
    assert "18 to 23" not in guide_content(chapter("686a"), example("686a"))["object"][0]


def test_number_that_the_code_prints_with_a_gap_is_mended() -> None:
    assert ("Seven-of-a-kind", "400 to 1") in table("593", "like_kind").rows


def test_extra_roll_wager_wins_only_with_an_added_die_on_a_circle_wagered() -> None:
    """The exact outcomes: it is settled by circle, and loses on each number that has none."""
    analysis = play("593").analyze(chapter("593"), example("593"))
    circles = [wager.key for wager in analysis if wager.wager == "extra_roll" and "every" not in wager.key]
    assert "extra_roll/Two-of-a-kind" not in circles
    assert len(circles) == 6
    said = step("593", "If any player placed an Extra Roll Wager")
    assert "wins if the second throw adds matching dice and you have a Like Kind Boulevard Wager on the new" in said
    assert not any("can still win stays" in words for words in steps("593"))


def test_other_players_are_paid_50_dollars_from_an_original_wager_of_5() -> None:
    assert "The hand needs an original wager of $5 or more" in step("635a", "three 7s of the same suit")


@pytest.mark.parametrize(("amount", "schedules"), [("$5", ["$5"]), ("$1", ["$1", "$5"])])
def test_fortune_bonus_has_each_envy_schedule_with_its_wager(amount: str, schedules: list[str]) -> None:
    shown = table("588", "fortune", fortune_paytable=f"{amount} Fortune Bonus Wager")
    assert list(shown.columns[1:]) == [f"Envy bonus from {least}" for least in schedules]
    tables = [chapter("588").paytable("fortune", f"{least} Fortune Bonus Wager") for least in schedules]
    for place, row in enumerate(shown.rows):
        envies = [of.rows[place].envy for of in tables]
        assert list(row[2:]) == [f"${envy:,}" if envy is not None else "–" for envy in envies]
    assert not [fact for fact in shown.facts if fact[0] == "Wager"]


@pytest.mark.parametrize(
    ("answers", "said", "unsaid"),
    [
        ({"fortune_paytable": "$1 Fortune Bonus Wager"}, "Fortune Bonus Wager of $1 or more", "$5 or more"),
        ({"fortune_paytable": "$5 Fortune Bonus Wager"}, "Fortune Bonus Wager is $5 or more", "$1 or more"),
        ({"progressive_payout_wager": False}, "Fortune Bonus Wager is $5 or more", "placed a Progressive"),
        ({"fortune_wager": False}, "If you placed a Progressive Payout Wager", "Fortune Bonus Wager"),
    ],
)
def test_envy_sentence_is_that_of_the_wagers_offered(answers: dict[str, Any], said: str, unsaid: str) -> None:
    filed = {"fortune_wager": True, "fortune_paytable": "$5 Fortune Bonus Wager", "progressive_payout_wager": True}
    found = [words for words in steps("588", **{**filed, **answers}) if "Envy Bonus" in words]
    assert any(said in words for words in found)
    assert not any(unsaid in words for words in found)


@pytest.mark.parametrize("paytable", PROGRESSIVE_PAYTABLES)
def test_fully_wild_joker_is_told_where_the_paytable_has_it(paytable: str) -> None:
    wild = chapter("688a").paytable("progressive", paytable).fully_wild_joker
    printed = "For the Progressive Payout Wager only, the joker is any card." in steps(
        "688a", progressive_paytable=paytable
    )
    assert printed is wild


def test_surrender_of_face_up_pai_gow_costs_the_whole_wager() -> None:
    assert "before the dealer turns over your hands. You then lose the whole wager." in step("688a", "surrender")


def test_envy_bonus_of_raise_it_up_is_for_those_who_placed_the_wager() -> None:
    assert step("587", "Envy Bonus when").startswith("If you placed a Progressive Payout Wager, you receive")


def test_object_of_poker_is_not_always_the_highest_hand() -> None:
    assert "the highest, the lowest, or one of each" in guide_content(chapter("637a"), example("637a"))["object"][0]


@pytest.mark.parametrize(("kind", "printed"), [("percentage", True), ("incremental", True), ("time", False)])
def test_rake_is_collected_from_the_pot_unless_time_is_charged(kind: str, printed: bool) -> None:
    said = steps("637a", rake_kind=kind, rake_steps="$1 from $10.", time_charge="6.00")
    assert ("Before that, the dealer collects the rake from the pot." in said) is printed


def test_rake_and_jackpot_contributions_of_poker_are_told() -> None:
    said = [words for words, _ in guide_content(chapter("637a"), example("637a"))["at_this_table"]]
    assert "The rake is 10% of the pot, at most $5.00." in said
    assert "Of each pot, $1.00 goes to the Bad Beat payout fund." in said
    assert "sources" not in size("637a", "omaha_blind_bet", omaha=True)


@pytest.mark.parametrize("number", ["581", "590", "686a"])
@pytest.mark.parametrize(
    ("automated", "continuous", "reshuffling", "said"),
    [
        (True, False, False, ["An automated card shuffling device shuffles the cards."]),
        (False, True, True, ["A continuous shuffler shuffles the cards."]),
        (False, False, True, ["The cards are dealt from a device that automatically shuffles them."]),
        (False, False, False, ["The dealer shuffles the cards."]),
        (True, True, True, [
            "An automated card shuffling device shuffles the cards at these tables: 1-4.",
            "A continuous shuffler shuffles the cards at these tables: 5.",
        ]),
    ],
)  # fmt: skip
def test_one_way_of_shuffling_is_told(
    number: str, automated: bool, continuous: bool, reshuffling: bool, said: list[str]
) -> None:
    answers = example(
        number,
        automated_shuffler=automated,
        continuous_shuffler=continuous,
        reshuffling_device=reshuffling,
        automated_shuffler_tables="1-4",
        continuous_shuffler_tables="5",
    )
    found = [words for words, _ in guide_content(chapter(number), answers)["at_this_table"]]
    assert [words for words in found if "shuffle" in words and "sit out" not in words] == said


@pytest.mark.parametrize(("number", "wager"), [("587", "progressive"), ("588", "progressive"), ("678a", "progressive")])
def test_for_one_is_explained(number: str, wager: str) -> None:
    assert "“For 1” includes the wager: it is not returned in addition." in table(number, wager).beneath


def test_win_bonus_includes_the_ante_wager() -> None:
    assert table("682a", "win_bonus").beneath == (
        "“For 1” includes the amount of your Ante Wager. The Win Bonus is paid in addition to the even money.",
    )


@pytest.mark.parametrize(
    ("number", "optional"),
    [
        ("587", {"pair_plus", "progressive", "six_card_bonus"}),
        ("581", {"double_attack", "double_down", "split", "insurance", "bust_it"}),
        ("593", {"like_kind", "extra_roll", "millionaire_row"}),
        ("591", {"second_chance", "double_down", "split", "insurance"}),
    ],
)
def test_every_wager_that_a_player_need_not_place_is_optional(number: str, optional: set[str]) -> None:
    wagers = guide_content(chapter(number), alike(number, True))["wagers"]
    assert {wager.wager for wager in wagers if wager.optional} == optional


def test_words_on_a_paytable_are_its_lowest_paying_and_pushing_rows() -> None:
    ante = chapter("683a").paytable("ante", "Paytable A")
    assert (lowest_paid(ante), returned_rows(ante)) == ("a pair of jacks or better", "a pair of 6s to 10s")
    blind = chapter("587").paytable("blind", "Paytable")
    assert (lowest_paid(blind), returned_rows(blind)) == (
        "three-of-a-kind or better",
        "two pair, or a pair of 10s or better",
    )
    lost = chapter("678a").paytable("progressive", "Paytable B")
    assert lowest_paid(lost) == "a four-card straight flush or better"
    assert (lowest_paid(None), returned_rows(None)) == (HAND_OF_ITS_PAYTABLE, HAND_OF_ITS_PAYTABLE)


@pytest.mark.parametrize("number", WITH_GUIDE)
def test_every_paytable_fills_the_sentences_on_it(number: str) -> None:
    """With all wagers offered and a paytable chosen for each, no sentence is left with “a hand of its paytable”."""
    filled = [sentence for sentence in words(chapter(number)).guide.steps if named_wagers(sentence.words)]
    for chosen in chapter(number).paytables:
        shown = offer(chapter(number), {**alike(number, True), **_choosing(number, chosen)})
        assert not [said for said in map(shown.fill_in, filled) if HAND_OF_ITS_PAYTABLE in said or "{" in said]


def _choosing(number: str, chosen: Paytable) -> dict[str, str]:
    option = chapter(number).wager(chosen.wager).paytable_option
    return {option: chosen.name} if option else {}


@pytest.mark.parametrize(
    ("number", "wager", "answers", "said"),
    [
        ("587", "progressive", {"progressive_paytable": "$1 Progressive Payout Wager"}, "$1, at the player's option"),
        ("588", "progressive", {"progressive_paytable": "$5 Progressive Payout Wager"}, "$5, by a player who placed"),
        ("678a", "progressive", {"progressive_bet": "5.00"}, "A value chip of $5.00, placed"),
        ("687a", "progressive", {"progressive_paytable": "Progressive Paytable 1"}, "$1."),
        ("688a", "progressive", {"progressive_paytable": "Paytable 4"}, "$5."),
        ("637a", "stud_ante", {"stud_ante_amount": "3.00"}, "$3.00, by each player"),
        ("637a", "forced_bet", {"forced_bet_amount": "2.50"}, "$2.50, by the player whose up card"),
        ("637a", "straddle", {"straddle_bet_amount": "8.00"}, "$8.00; at most one in a round"),
        ("637a", "blind_bet", {"blind_bets": 1, "blind_bet_amounts": "2"}, "In dollars: 2. Required"),
        ("637a", "blind_bet", {"blind_bets": 2, "blind_bet_amounts": "1, 2"}, "2 Blind Bets, in dollars: 1, 2. Req"),
        ("637a", "omaha_blind_bet", {"omaha_blind_bets": 3, "omaha_blind_bet_amounts": "1, 2, 3"}, "Blind Bets: 3, in"),
    ],
)
def test_amount_of_a_wager_is_that_of_the_answers(number: str, wager: str, answers: dict[str, Any], said: str) -> None:
    assert size(number, wager, **{**alike(number, True), **answers}).startswith(said)


def test_amount_of_a_wager_that_is_not_known_yet_is_its_rule() -> None:
    assert size("637a", "forced_bet", forced_bet_amount=None).startswith("The amount that the casino filed")
    assert size("688a", "progressive", progressive_paytable=None) == chapter("688a").wager("progressive").size


@pytest.mark.parametrize(("blinds", "said"), [(1, "places a Blind Bet"), (2, "Blind Bets are placed by the player to")])
def test_number_of_blind_bets_is_that_of_the_answers(blinds: int, said: str) -> None:
    assert said in step("637a", "before any cards are dealt", blind_bets=blinds)


@pytest.mark.parametrize(
    ("number", "wager"), [("637a", "straddle"), ("637a", "omaha_straddle"), ("589", "options_fee")]
)
def test_bet_that_a_player_need_not_make_is_called_optional(number: str, wager: str) -> None:
    shown = guide_content(chapter(number), alike(number, True))["wagers"]
    assert next(one.optional for one in shown if one.wager == wager)


def test_payout_limit_names_the_bonus_that_is_paid_on_a_wager_that_it_covers() -> None:
    """§ 677a.12(f): the limit is for the odds of (a) to (e), and those of the Bad Beat Bonus are in (c)."""
    limit = payout_sign_content(chapter("677a"), example("677a", payout_limit_established=True))["limit"]
    assert "Bad Beat Bonus" in limit.covers
    assert limit.words.startswith("per player per round of play, for the Ante Wager, Odds Wager, Bad Beat Bonus")


def test_bust_it_wager_loses_with_every_third_card_that_leaves_the_dealer_at_21_or_less() -> None:
    assert "It loses if the dealer draws no third card or is at 21 or less with it." in step("581", "a Bust It Wager")


def test_blind_wager_of_raise_it_up_is_returned_with_a_lower_hand_only() -> None:
    """“A pair of 10s or better” as a row that returns it read as if every hand that wins returned it."""
    said = step("587", "The third community card")
    assert "Your Blind Wager is then paid with three-of-a-kind or better, and returned with a lower hand." in said
    assert said.endswith("With less than that pair all three lose.")


def test_two_adjacent_boxes_are_named_where_the_law_has_no_more() -> None:
    for number in ("588", "688a"):
        content = guide_content(chapter(number), example(number, adjacent_boxes_allowed=True))
        boxes = [words for words, _ in content["at_this_table"] if "box" in words]
        assert boxes == ["A player may wager on two adjacent boxes in one round of play."]
