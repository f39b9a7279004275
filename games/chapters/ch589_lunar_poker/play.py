"""Lunar Poker: five cards each, a draw for a fee, a dealer who qualifies with an ace-king or is forced to try again.

Readings: `second-combination` (two combinations are paid), `ante-returned` (when the Ante wins), `options-fee`,
`forcing-fee-lost`; for the Super Wager `super-ace-king`, `super-ace-king-with-a-pair`, `super-straight-flush`.
"""

from games.maths.exchange import rules
from games.maths.exchange.game import ExchangeGame
from games.maths.exchange.rules import FirstFive, Sections, Stakes
from games.play import Play

GAME = ExchangeGame(
    stakes=Stakes(bet=2, draw_fee=1, force_fee=1),  # § 589.11(b)(2), (b)(3), (e)(2)(ii)
    bet="bet",
    first_five={"super": FirstFive(lost="§ 589.11(c)(2)(i)", reading="super-ace-king")},
    notes=(
        "All figures are for the strategy stated, not for the best one conceivable. It was found by dealing every "
        "bet, sixth card and exchange from some 90,000 starts, and taking for hands of a kind what is best on average.",
        "Options fees count as wagered, since the player pays them; they are never returned "
        "(readings options-fee, forcing-fee-lost). The player is alone at the table: cards of others are not seen.",
    ),
    sections=Sections(
        dealt={"manual_shoe": "§ 589.8(c)", "from_hand": "§ 589.9(b)", "automated_shoe": "§ 589.10(b)"},
        folds="§ 589.11(b)(1)",
        bets="§ 589.11(b)(2)",
        draws="§ 589.11(b)(3)",
        instant_payout="§ 589.11(c)(1)(i)",
        folded="§ 589.11(d)(1)",
        sixth_card="§ 589.11(d)(2)(i)(A)",
        exchange="§ 589.11(d)(2)(i)(B)",
        decides_after_draw="§ 589.11(d)(2)(iii)",
        folded_after_draw="§ 589.11(d)(2)(iv)",
        revealed="§ 589.11(e)",
        forces="§ 589.11(e)(2)(ii)",
        ends={
            rules.NOT_QUALIFIED: "§ 589.11(e)(2)(i)",
            rules.TIED: "§ 589.11(e)(1)(iii)",
            rules.BEATEN: "§ 589.11(e)(1)(i)",
            rules.WON: "§ 589.11(e)(1)(ii)",
            rules.FORCED_NOT_QUALIFIED: "§ 589.11(e)(2)(ii)(A)",
            rules.FORCED_TIED: "§ 589.11(e)(2)(ii)(B)(III)",
            rules.FORCED_BEATEN: "§ 589.11(e)(2)(ii)(B)(I)",
            rules.FORCED_WON: "§ 589.11(e)(2)(ii)(B)(II)",
        },
    ),
)

PLAY = Play(game=GAME, block_rounds=5_000_000, filing_rounds=50_000_000)
