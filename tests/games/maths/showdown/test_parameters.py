"""Parameters that no game against a hidden hand can have are refused when the record is made, by their key."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.maths import hands
from games.maths.cards import ACE
from games.maths.showdown.deck import DEUCES_AND_JOKER, FULL, Deck, rows_named
from games.maths.showdown.five_game import BeatenHand, FiveCardShowdown, NaturalOrWild, OwnHand, ReplacedHand
from games.maths.showdown.four_game import ALL_SIX, BEST_FOUR, REDS, FourBonus, FourCardShowdown
from games.maths.showdown.parts import ByRow, Dealing, End, Ends, Part, RequiredWagers, Sections, SimplifiedRule
from games.rules.errors import ParameterError

END = End("", "")
ANTE, RAISE = Part("initial", 1, 0, -1), Part("raise", 1, 0, -1)
WAGERS = RequiredWagers((ANTE, RAISE), Ends(END, END, END, END), (2,))
SECTIONS = Sections("", {"": Dealing("", "")})
ACE_KING = (hands.HIGH_CARD, ACE, ACE - 1)
WILD_CLASSES = (*hands.STANDARD, hands.FIVE_OF_A_KIND, hands.FIVE_WILDS)


def five(wagers=WAGERS, **parameters):
    return FiveCardShowdown(wagers, SECTIONS, **parameters)


def four(wagers=WAGERS, **parameters):
    return FourCardShowdown(wagers, SECTIONS, **parameters)


def bonus(kind, *more, deck=FULL, classes=hands.STANDARD, **parameters):
    return lambda: five(deck=deck, classes=classes, bonuses={"bonus": kind("", *more)}, **parameters)


REFUSED = {
    "rank": (lambda: Deck(13), "deck.wild_rank"),
    "classes that the deck does not make": (lambda: five(classes=WILD_CLASSES), "classes"),
    "classes that need more wild cards": (lambda: five(deck=Deck(joker=True), classes=WILD_CLASSES), "classes"),
    "classes that lack what wild cards make": (lambda: five(deck=DEUCES_AND_JOKER), "classes"),
    "another order without wild cards": (lambda: five(classes=hands.STANDARD[::-1]), "classes"),
    "a least hand that no hand is": (lambda: five(least=(hands.STRAIGHT, 2)), "least"),
    "a least hand of no class": (lambda: five(least=("Ace-king",)), "least"),
    "a least hand that four cards are not": (lambda: four(least=(hands.FULL_HOUSE,)), "least"),
    "a least hand without its end": (lambda: five(least=ACE_KING), "ends.short"),
    "an end without a least hand": (lambda: five(replace(WAGERS, ends=Ends(END, END, END, END, END))), "ends.short"),
    "no raise": (lambda: five(replace(WAGERS, raises=())), "raises"),
    "a raise of nothing": (lambda: five(replace(WAGERS, raises=(0,))), "raises"),
    "raises out of order": (lambda: four(replace(WAGERS, raises=(2, 1))), "raises"),
    "no Ante": (lambda: five(replace(WAGERS, parts=(RAISE,))), "parts"),
    "no raised part": (lambda: five(replace(WAGERS, parts=(ANTE,))), "parts"),
    "a row for a class that there is not": (
        lambda: five(replace(WAGERS, parts=(ANTE, Part("raise", ByRow("raise", {("Five Wilds",): ""}), 0, -1)))),
        "parts",
    ),
    "a decision that there is not": (
        lambda: five(replace(WAGERS, simplified=(SimplifiedRule("", (((hands.PAIR,), 2),)),))),
        "most, simplified",
    ),
    "a name of no class": (lambda: rows_named("Three of a kind"), "rows"),
    "a bonus row for no class": (bonus(OwnHand, {(hands.FIVE_WILDS,): ""}), "bonuses['bonus'].rows"),
    "a bonus by wild cards without any": (bonus(NaturalOrWild), "bonuses['bonus']"),
    "a replaced joker without one": (bonus(ReplacedHand, {}, "", ""), "bonuses['bonus']"),
    "a replaced hand with wild cards": (
        bonus(ReplacedHand, {(hands.FIVE_WILDS,): ""}, "", "", deck=DEUCES_AND_JOKER, classes=WILD_CLASSES),
        "bonuses['bonus'].rows",
    ),
    "a beaten hand against a dealer who may be short": (
        lambda: five(
            replace(WAGERS, ends=Ends(END, END, END, END, END)), least=ACE_KING, bonuses={"bonus": BeatenHand("", {})}
        ),
        "bonuses['bonus']",
    ),
    "the dealer's cards": (lambda: four(dealer_cards=7), "dealer_cards"),
    "a sixth card that is not dealt": (
        lambda: four(bonuses={"bonus": FourBonus(ALL_SIX, {}, "")}),
        "bonuses['bonus']",
    ),
    "six red cards of five": (
        lambda: four(bonuses={"bonus": FourBonus(REDS, {(6,): ""}, "")}),
        "bonuses['bonus'].rows",
    ),
    "a full house of four cards": (
        lambda: four(bonuses={"bonus": FourBonus(BEST_FOUR, {(hands.FULL_HOUSE,): ""}, "")}),
        "bonuses['bonus'].rows",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_parameters_that_no_game_has_are_refused_by_their_key(what):
    make, key = REFUSED[what]
    with pytest.raises(ParameterError) as refused:
        make()
    assert refused.value.key == key


def test_parameters_of_a_game_are_taken():
    assert five().order.classes == hands.STANDARD
    assert five(deck=DEUCES_AND_JOKER, classes=WILD_CLASSES).deck.wilds == 5
    assert four(dealer_cards=6).required.words == ("Fold", "Raise")
    assert replace(WAGERS, raises=(1, 3), verb="Play").words == ("Fold", "Play one Ante", "Play three Antes")
