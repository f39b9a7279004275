"""The second laboratory's table of World Poker Tour Heads-Up Hold 'Em, entered from the text a second time.

The family lays down: the Ante is returned if the dealer does not qualify, § 677a.11(h)(1), and equal hands return all
three wagers, (h)(1)(ii) and (h)(2)(ii); a fold loses Ante and Odds Wager, (f).
"""

from games.second.hands import PAIR, STRAIGHT
from games.second.heads_up import HeadsUpTable

TABLE = HeadsUpTable(
    raises=(3, 2, 1),  # § 677a.11(b), (d), (f): as much as is allowed
    qualifier=PAIR,  # § 677a.11(h)(1)
    unqualified="a pair",
    odds="odds",  # § 677a.12(b): three-of-a-kind and less are returned
    odds_from=STRAIGHT,
    bad_beat="bad_beat",  # § 677a.11(h)(2)(iii)(B)
    bad_beat_from=STRAIGHT,
    by_own_cards="pocket_bonus",  # § 677a.7(d)(2)
    by_best_five="trips_plus",  # § 677a.7(d)(3)
)
