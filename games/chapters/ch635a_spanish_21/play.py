"""Spanish 21: decks without 10s, odds for 21s of many cards, a player's 21 that never loses, the rescue of a double."""

from games.maths.blackjack import hands
from games.maths.blackjack.game import Game
from games.maths.blackjack.replay import Sections
from games.maths.blackjack.rules import DEFAULT_ADDITIONAL_SPLITS, MOST_HANDS
from games.maths.blackjack.side_wagers import analyze_match
from games.play import Play
from games.rules.model import Answers


def _most_hands(answers: Answers) -> int:
    """§ 635a.11(c); the strategy leaves off at `MOST_HANDS`."""
    more = answers.get("additional_splits")
    return min(2 + int(str(DEFAULT_ADDITIONAL_SPLITS if more is None else more)), MOST_HANDS)


GAME = Game(
    number="635a",
    decks=6,  # § 635a.3(a): six or eight
    decks_of_paytable={"Six decks": 6, "Eight decks": 8},  # § 635a.12(e)
    tens=3,
    most_hands=_most_hands,
    side={"match_the_dealer": analyze_match},
    sections=Sections(
        first_card=".7(e)(1)",
        up_card=".7(e)(2)",
        second_card=".7(e)(3)",
        hole_card=".7(e)(4)",
        insurance=".8(a)",
        reader=".7(g)",
        blackjack=".7(h)(1)",
        split_card=".11(b)",
        turns=".7(k)",
        dealer_draws=".7(l)",
        decisions={
            hands.STAND: ".7(h)(2)",
            hands.HIT: ".7(j)",
            hands.DOUBLE: ".10(a)",
            hands.RESCUE: ".10(d)",
            hands.SPLIT: ".11(a)",
            hands.SURRENDER: ".9(a)",
        },
    ),
)

PLAY = Play(
    block_rounds=10_000_000,
    filing_rounds=100_000_000,
    analyze=GAME.analyze,
    simulate_block=GAME.simulate_block,
    replay_steps=GAME.replay_steps,
)
