"""Face Up Pai Gow Poker: hands set in two against the dealer's exposed hands (family `two_hands`).

Here: which analysis belongs to which wager, and which house way the answers choose. The key of a house way
(§ 688a.11(a)) is where other wagers have the name of their paytable.
"""

from typing import Final

from games.maths.published import compare_published
from games.maths.results import Step, Tally, WagerAnalysis
from games.maths.two_hands.estimate import required_wager, tally
from games.maths.two_hands.exact import ace_high_wager, hand_wager
from games.maths.two_hands.rounds import play
from games.maths.two_hands.seven_replay import round_steps
from games.play import Play
from games.rules.model import Answers, Chapter, HouseWay
from games.rules.wagers_in_play import in_play, paytables_in_play

_ANALYSES: Final = {"ace_high": ace_high_wager, "fortune": hand_wager, "progressive": hand_wager}

DEALT_BY: Final = {"manual_shoe": "§ 688a.8(d)", "from_hand": "§ 688a.9(c)", "automated_shoe": "§ 688a.10(c)"}


def analyze(chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
    """Every wager offered; the required one by estimate, under each house way if the answers name none."""
    way = (answers or {}).get("house_way")
    analyses: list[WagerAnalysis] = []
    for wager, name in in_play(chapter, answers):
        if wager == "pai_gow":
            analyses += map(required_wager, chapter.house_ways if way is None else [_house_way(chapter, way)])
        else:
            analyses.append(_ANALYSES[wager](chapter.paytable(wager, name)))
    return tuple(compare_published(chapter, analysis) for analysis in analyses)


def simulate_block(chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
    """Deal and settle the rounds of one block; `ValueError` where a house way or a paytable is not answered."""
    chosen = paytables_in_play(chapter, answers).items()
    tables = {wager: chapter.paytable(wager, name) for wager, name in chosen if name}
    way = _house_way(chapter, answers.get("house_way"))
    return tally(play(seed, block, rounds, way.key), tables)


def replay_steps(chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
    """The cards and settings of one round."""
    way = _house_way(chapter, answers.get("house_way"))
    deck = play(seed, block, index + 1, way.key).deck
    dealt = next((section for option, section in DEALT_BY.items() if answers.get(option)), DEALT_BY["manual_shoe"])
    return round_steps(deck[:7], deck[7:14], dealt, way)


def _house_way(chapter: Chapter, key: object) -> HouseWay:
    if house_way := next((way for way in chapter.house_ways if way.key == key), None):
        return house_way
    raise ValueError(
        f"`house_way` is {key!r}; answer how the dealer sets his hands with one of "
        f"{', '.join(way.key for way in chapter.house_ways)} (§ 688a.11(a))"
    )


PLAY = Play(
    block_rounds=5_000_000,
    filing_rounds=100_000_000,
    analyze=analyze,
    simulate_block=simulate_block,
    replay_steps=replay_steps,
)
