"""The second laboratory's table of Joker Six Stud, entered from the text a second time."""

from games.second import hands
from games.second.card_sums import FIVE_OF_A_KIND, HIGH_PAIR, MIDDLE_PAIR
from games.second.turned_cards import Decision, TurnedCardsTable

TABLE = TurnedCardsTable(
    decisions=(
        Decision((1,), folded="Folded on three cards"),  # § 691a.11(b)
        Decision((1,), folded="Folded on four cards"),  # § 691a.11(d)
        Decision((1,), folded="Folded on five cards"),  # § 691a.11(f)
    ),
    raises_once=False,
    before_deal=("ante",),  # § 691a.12(a)
    raise_name="Raise Wager",
    raised_by="ante",
    rows={
        **hands.PRINTED,
        "Five-of-a-kind": FIVE_OF_A_KIND,
        "Two pair": hands.TWO_PAIR,
        "Pair of aces": HIGH_PAIR,
        "Pair of jacks to kings": MIDDLE_PAIR,
    },
    middle_pair=9,  # of jacks, § 691a.11(h)(1)
    high_pair=12,  # of aces
    joker=True,  # § 691a.3(a)
)
