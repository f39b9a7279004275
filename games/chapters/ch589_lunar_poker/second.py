"""The second laboratory's table of Lunar Poker, entered from the text a second time."""

from games.second.exchange import ExchangeTable

TABLE = ExchangeTable(
    bet=2,  # § 589.11(b)(2)
    draw_fee=1,  # § 589.11(b)(3): equal to the Ante
    force_fee=1,  # § 589.11(e)(2)(ii)
    least_exchanged=2,  # § 589.11(b)(3): a sixth card, or between two and five cards exchanged
    bet_wager="bet",  # § 589.12(c)
    first_five="super",  # § 589.12(b)
)
