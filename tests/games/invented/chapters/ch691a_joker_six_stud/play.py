"""Joker Six Stud, invented for tests: three own and three community cards, the joker wild; a raise or a fold before
each community card. Readings: `jacks-to-kings-push`, `limit-required-wagers`.
"""

from games.maths.staged_raises.turns.form import WITH_JOKER, Form, PaidHands, Stage
from games.maths.staged_raises.turns.game import TurnedCardsGame
from games.maths.staged_raises.turns.wagers import RequiredSections, RequiredWagers
from games.play import Play

GAME = TurnedCardsGame(
    required=RequiredWagers(
        form=Form(
            own=3,
            stages=(Stage((1,)), Stage((1,)), Stage((1,))),
            hands=PaidHands(pairs=("J", "A"), joker=True, classes=WITH_JOKER),
            raises_once=False,
        ),
        before_deal={"Ante": "ante"},
        raised="Raise Wager",
        raised_by="ante",
        sections=RequiredSections(
            won="§ 691a.11(h)(1)",
            lost="§ 691a.11(h)(2)",
            decided=("§ 691a.11(b)", "§ 691a.11(d)", "§ 691a.11(f)"),
            turned=("§ 691a.11(c)", "§ 691a.11(e)", "§ 691a.11(g)"),
            made="§ 691a.11(h)",
            dealt={"manual_shoe": "§ 691a.8(b)", "from_hand": "§ 691a.9(b)", "automated_shoe": "§ 691a.10(b)"},
        ),
    ),
)

PLAY = Play(
    game=GAME,
    block_rounds=5_000_000,
    filing_rounds=50_000_000,
    largest_round=GAME.largest_round,
)
