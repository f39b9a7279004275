"""Props & Hops: wagers on one throw of two dice, settled by what is shown.

The dice are two by § 585.3(a). Of the Double and the Any Number Wagers, which differ only in the faces they name, one
represents all: reading `one-result-one-prize`.
"""

from games.maths.dice.game import (
    ANY_CRAPS,
    ANY_DOUBLES,
    ANY_NUMBER,
    ANY_SEVEN,
    DOUBLE,
    FIELD,
    TwoDiceGame,
    TwoDiceSections,
)
from games.play import Play

GAME = TwoDiceGame(
    wagers={
        "double": DOUBLE,
        "any_number": ANY_NUMBER,
        "field": FIELD,
        "any_craps": ANY_CRAPS,
        "any_seven": ANY_SEVEN,
        "any_doubles": ANY_DOUBLES,
    },
    sections=TwoDiceSections(
        double="§ 585.2(d)({})",
        any_number="§ 585.2(e)({})",
        further_wagers="§ 585.2(f)",
        throw="§ 585.3(e), (g)",
        collected="§ 585.3(h)",
    ),
)

PLAY = Play(game=GAME, block_rounds=10_000_000, filing_rounds=50_000_000)
