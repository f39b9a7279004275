"""How an outcome of a blackjack wager is called: the key that the exact rows and the simulated tallies share.

Not here: how likely it is (`exact`), how it is dealt (`rounds`).
"""

from fractions import Fraction


def name(net: int, wagered: int) -> str:
    """The outcome that wins `net` halves of the required wager after `wagered` of it were put up in all.

    >>> name(-3, 2)
    'Loses 3/2, wagered 2'
    """
    amount = Fraction(abs(net), 2)
    verb = "Even" if net == 0 else f"{'Wins' if net > 0 else 'Loses'} {amount}"
    return f"{verb}, wagered {wagered}"
