"""Raise It Up Stud Poker: three own and three community cards against a paytable, and one Play Wager.

The Play Wager is of one to three Antes, the smaller the later it is made.

Readings: `one-play-wager`, `progressive-after-a-fold` (a fold forfeits the Progressive Payout Wager, § 587.11(g)).
"""

from games.maths import hands
from games.maths.staged_raises import paid_hands
from games.maths.staged_raises.turns.form import Form, PaidHands, Stage
from games.maths.staged_raises.turns.game import TurnedCardsGame
from games.maths.staged_raises.turns.wagers import (
    EVEN_MONEY,
    BestHandWager,
    ForfeitedProgressive,
    OwnCardsWager,
    RequiredSections,
    RequiredWagers,
)
from games.play import Play

STAGES = (Stage((1, 2, 3), may_check=True), Stage((1, 2), may_check=True), Stage((1,)))
GAME = TurnedCardsGame(
    required=RequiredWagers(
        form=Form(own=3, stages=STAGES, hands=PaidHands(pairs=("T",)), raises_once=True),
        before_deal={"Ante": EVEN_MONEY, "Blind": "blind"},
        raised="Play Wager",
        raised_by="play",
        sections=RequiredSections(
            won="§ 587.11(i)(2)(ii)",
            lost="§ 587.11(i)(2)(i)",
            decided=("§ 587.11(b)", "§ 587.11(d)", "§ 587.11(f)"),
            turned=("§ 587.11(c)", "§ 587.11(e)", "§ 587.11(h)"),
            made="§ 587.11(i)(2)",
            dealt={"manual_shoe": "§ 587.8(d)", "from_hand": "§ 587.9(b)", "automated_shoe": "§ 587.10(b)"},
        ),
        play_file=__file__,  # its `strategy.toml`
    ),
    optional={
        "pair_plus": OwnCardsWager(
            (hands.STRAIGHT_FLUSH, hands.THREE, hands.STRAIGHT, hands.FLUSH, hands.PAIR), lost="§ 587.11(i)(1)"
        ),
        "progressive": ForfeitedProgressive(
            (paid_hands.ROYAL_OF_SPADES, hands.ROYAL, hands.STRAIGHT_FLUSH, hands.THREE, hands.STRAIGHT),
            lost="§ 587.11(i)(3)(i)",
            forfeited="§ 587.11(g)",
            rate="progressive_rate",
            reset="progressive_reset",
        ),
        "six_card_bonus": BestHandWager(tuple(reversed(hands.STANDARD[3:])), lost="§ 587.11(i)(3)(ii)"),
    },
)

PLAY = Play(game=GAME, block_rounds=5_000_000, filing_rounds=50_000_000)
