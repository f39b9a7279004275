"""Over/Under: the first cards of a six-deck shoe, a decision after the first card, settlement by total points."""

from games.maths.first_cards.game import Game, Rules, Sections
from games.play import Play

GAME = Game(
    Rules(
        decks=6,  # § 686a.3(a)
        points=(2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 11),  # § 686a.3(d)
        over="Over 23",  # § 686a.7(g)
        over_from=24,
        under="Under 18",
        under_to=17,
        surrender="Surrender",
        wins="§ 686a.7(i)[2]",
        loses="§ 686a.7(j)",
        surrendered="§ 686a.7(g)(3)",
    ),
    lost_totals="13 to 26",  # § 686a.7(k)
    sections=Sections(
        first_card="§ 686a.7(e)",
        decision="§ 686a.7(g)",
        last_cards="§ 686a.7(h)",
        count="§ 686a.7(i)",
    ),
)

PLAY = Play(game=GAME, block_rounds=5_000_000)
