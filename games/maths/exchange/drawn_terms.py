"""`python -m games.maths.exchange.drawn_terms 0,1,1,2,3,4,5,7,20,50,100 2 1 1`: count the rounds of `drawn`, ship them.

The arguments are the odds of `payouts.COMBINATIONS`, then in Antes the Bet Wager, the fee of a draw and that of
forcing: those above are the ones of the chapter that has this family. Some 25 minutes of one core. To be run when the
strategy, the stakes, the odds or the ranking of hands change: until then `drawn` refuses the old counts, and the
required wager is estimated. The part of an up card that is an ace is kept apart: a test counts it again. Not here: the
counting (`drawn`).
"""

import json
import sys

from games.maths.cards import ACE
from games.maths.exchange.drawn import NOT_ACES, SHIPPED, count_drawn, rows_of, rules_digest
from games.maths.exchange.payouts import Terms
from games.maths.exchange.rules import Stakes
from games.maths.exchange.settling import RANKS


def main() -> None:
    """Write the file beside `drawn`."""
    odds, bet, draw_fee, force_fee = sys.argv[1:]
    stakes = Stakes(bet=int(bet), draw_fee=int(draw_fee), force_fee=int(force_fee))
    terms = Terms(tuple(map(int, odds.split(","))), stakes)
    ends = {ACE: count_drawn(terms, (ACE,)), NOT_ACES: count_drawn(terms, range(RANKS - 1))}
    content = {"rules": rules_digest(terms), "ends": {str(up): rows_of(part) for up, part in ends.items()}}
    SHIPPED.write_text(json.dumps(content) + "\n", "utf-8")


if __name__ == "__main__":
    main()
