"""The steps of one round of six cards a side: the cards dealt, how both sides set them, whether the player doubles.

Not here: what the wagers win (`runs.replay`), the deal itself (`six_rounds`).
"""

from collections.abc import Sequence

from games.maths.cards import JOKER
from games.maths.ranking import flush_part, high_part, low_part
from games.maths.results import Step
from games.maths.two_hands.forms import KEYS, forms
from games.maths.two_hands.ranking import JOKER_RANK, high_value
from games.maths.two_hands.six_cards import (
    REGULATION,
    SIX,
    Ints,
    high_hands,
    high_of,
    line_of,
    low_of,
    settings,
    suited_form,
)
from games.maths.two_hands.six_rounds import NOT_PLACED
from games.maths.two_hands.wording import SixCardWording
from games.rules.model import HouseWay


def code_of(cards: Ints) -> int:
    """What the tables of the house way say of six cards."""
    key = int(KEYS[cards].sum())
    if flush_part(key):
        return int(settings(REGULATION).by_suit[suited_form(cards)])
    return int(settings(REGULATION).by_form[forms(SIX).low[low_part(key)] + forms(SIX).high[high_part(key)]])


def round_steps(
    player: Ints, dealer: Ints, dealt: str, doubles: Sequence[int] | None, way: HouseWay, wording: SixCardWording
) -> tuple[Step, ...]:
    """`dealt` is the section of the deal; `doubles` the least high hand by low hand, None where not offered."""
    code = code_of(player)
    steps = [Step("Player", "is dealt six cards", dealt, _cards(player))]
    steps.append(Step("Dealer", "is dealt six cards", dealt, _cards(dealer)))
    if doubles is not None:
        places = "places the" if high_of(code) >= doubles[low_of(code)] else "does not place a"
        steps.append(Step("Player", f"{places} Double Down Wager", wording.doubles[NOT_PLACED]))
    steps += _sets("Player", player, wording.player_sets, way)
    return (*steps, *_sets("Dealer", dealer, wording.dealer_sets, way))


def _sets(who: str, cards: Ints, section: str, way: HouseWay) -> tuple[Step, Step]:
    code = code_of(cards)
    high, low = split(_cards(cards), code)
    when = way.rules[line_of(code)][0]
    sets = f"sets the high hand by the line “{when}”"
    return Step(who, sets, section, high), Step(who, "sets the low hand", section, (low,))


def split(cards: tuple[int, ...], code: int) -> tuple[tuple[int, ...], int]:
    """(the high hand, the low hand) that the code means."""
    for low in cards:
        high = tuple(card for card in cards if card != low)
        if _rank(low) == low_of(code) and _value(high) == high_hands()[high_of(code)]:
            return high, low
    raise ValueError(f"no card of {cards} leaves the hands of code {code}")


def _value(high: Sequence[int]) -> int:
    ranks = sorted(_rank(card) for card in high if card != JOKER)
    suited = len({card & 3 for card in high if card != JOKER}) == 1
    return high_value(ranks, JOKER in high, suited)


def _rank(card: int) -> int:
    return JOKER_RANK if card == JOKER else card >> 2


def _cards(cards: Ints) -> tuple[int, ...]:
    """From high to low, as a person sorts them."""
    return tuple(sorted((int(card) for card in cards), reverse=True))
