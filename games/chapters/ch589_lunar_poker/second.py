"""The second laboratory's table of Lunar Poker, entered from the text a second time.

The family lays down: an ace-king or better qualifies the dealer, § 589.11(e)(1), who if forced replaces the highest
card, (e)(2)(ii); a straight flush or better in the first five cards is paid at once, (c)(1), and on the Super Wager as
a same-colored straight, (c)(2)(ii); the Ante wins only if the dealer neither qualifies nor is forced, (e)(2)(i); a
second combination with a card outside the first is paid too, (e)(1)(ii).
"""

from games.second.exchange import ExchangeTable

TABLE = ExchangeTable(
    bet=2,  # § 589.11(b)(2)
    draw_fee=1,  # § 589.11(b)(3): equal to the Ante
    force_fee=1,  # § 589.11(e)(2)(ii)
    least_exchanged=2,  # § 589.11(b)(3): a sixth card, or between two and five cards exchanged
    bet_wager="bet",  # § 589.12(c)
    first_five="super",  # § 589.12(b)
)
