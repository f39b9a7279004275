"""One street game as the rest of the portal meets it, a round as its steps, and the largest round of a payout limit.

Two own cards, three community cards, a raise or a fold before each of these; a paytable pays, the dealer has no hand.
Not here: the wagers (`wagers`), dealing (`rounds`).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from games.maths.cards import cards
from games.maths.published import compare_published
from games.maths.results import LargestRound, PartWon, Step, Tally, WagerAnalysis, net_of
from games.maths.staged_raises.bonuses import with_lost
from games.maths.staged_raises.paid_hands import pays_of, place_2, with_fourth, with_third
from games.maths.staged_raises.streets.best_play import EQUAL, FOLD, ONCE, THRICE, Strategy
from games.maths.staged_raises.streets.rounds import EXTRA_CARDS, deal_rounds, new_deck
from games.maths.staged_raises.streets.wagers import (
    BonusWager,
    Dealing,
    Sections,
    Stages,
    analyze_bonus,
    ante,
    best,
    best_played,
    outcome_counts,
    words_of,
)
from games.rules.model import Answers, Chapter, Paytable
from games.rules.wagers_in_play import in_play, part_paytable, paytables_in_play


@dataclass(frozen=True, slots=True)
class StreetGame:
    """The terms of one game: the raises' names, the optional wagers, the sections."""

    raises: Stages  # "a 3rd Street Wager"
    bonuses: Mapping[str, BonusWager]
    sections: Sections
    play_file: str = ""  # of a chapter whose `strategy.toml` says the best play in words of its own

    def analyze(self, chapter: Chapter, answers: Answers | None) -> tuple[WagerAnalysis, ...]:
        """Return every wager offered, exactly; the best play for each paytable is found at once.

        So a change waits for nothing. `NoPaytable` for a paytable that the chapter does not have, here and below.
        """
        for table in chapter.tables_of("ante"):
            best_played(pays_of(table))
        tables = (chapter.paytable(wager, name) for wager, name in in_play(chapter, answers))
        return tuple(compare_published(chapter, self._analyze(table, answers or {})) for table in tables)

    def simulate_block(self, chapter: Chapter, answers: Answers, seed: int, block: int, rounds: int) -> Tally:
        """Deal and settle the rounds of one block."""
        tables = {wager: chapter.paytable(wager, name) for wager, name in paytables_in_play(chapter, answers).items()}
        required = tables.pop("ante")
        dealt = deal_rounds(best(pays_of(required)), self._extra(), (seed, block, rounds))
        tally = {"ante": outcome_counts(dealt.ended, dealt.folded, required)}
        for wager, table in tables.items():
            bonus = self.bonuses[wager]
            tally[wager] = with_lost(bonus.paid(table, bonus.counts.dealt(dealt)), rounds)
        return tally

    def replay_steps(self, chapter: Chapter, answers: Answers, seed: int, block: int, index: int) -> tuple[Step, ...]:
        """Return the cards and decisions of round `index` of the block."""
        strategy, deck, extra = best(pays_of(_required(chapter, answers))), new_deck(), self._extra()
        deal_rounds(strategy, extra, (seed, block, index + 1), deck)
        cards = tuple(map(int, deck[: extra + 5]))
        dealing = self.sections.dealing(answers)
        steps = round_steps(self.sections, dealing, self.raises, strategy, cards[extra:])
        for wager, bonus in self.bonuses.items():
            if bonus.extra_cards and answers.get(chapter.wager(wager).offered_by) is True:
                place = 0 if dealing.extra_first else 1
                steps.insert(place, Step("Dealer", bonus.extra_cards, dealing.extra, cards[:extra]))
        return tuple(steps)

    def largest_round(
        self, chapter: Chapter, answers: Answers, stakes: Mapping[str, Fraction], leaves_out: Collection[str]
    ) -> LargestRound:
        """Return the highest row that the limit covers, on the Ante and its raises."""
        table = _required(chapter, answers)
        return largest_street_round(chapter, table, self.sections, self.raises, stakes, leaves_out)

    def _analyze(self, table: Paytable, answers: Answers) -> WagerAnalysis:
        if table.wager == "ante":
            return ante(table, words_of(self.play_file, table, best(pays_of(table))), self.sections)
        return analyze_bonus(table, self.bonuses[table.wager], answers)

    def _extra(self) -> int:
        return EXTRA_CARDS if any(bonus.extra_cards for bonus in self.bonuses.values()) else 0


def _required(chapter: Chapter, answers: Answers) -> Paytable:
    """Return the Ante's paytable, even if those of other wagers are not answered yet."""
    return chapter.paytable("ante", part_paytable(chapter, answers, "ante"))


Cards = tuple[int, ...]
ORDINALS = ("first", "second", "third")
AMOUNTS = {ONCE: "equal to the Ante", THRICE: "of three times the Ante"}
EXAMPLES = (
    "2c 4d 7h 9s Jc", "6c 6d 2h 3s 4c", "Jc Jd 2h 3s 4c", "3c 3d 2h 2s 4c", "2c 2d 2h 3s 4c", "2c 3d 4h 5s 6c",
    "2c 3c 4c 5c 7c", "2c 2d 2h 3s 3c", "2c 2d 2h 2s 3c", "9s 8s 7s 6s 5s", "As Ks Qs Js Ts",
)  # fmt: skip
"""Five cards for each of `paid_hands.RESULTS`."""


def round_steps(sections: Sections, dealing: Dealing, raises: Stages, strategy: Strategy, dealt: Cards) -> list[Step]:
    """Return the player's two cards, then decision and card in turn, to the end of the round or the fold.

    The community cards that a fold leaves are turned all the same: optional wagers are settled on them.
    """
    own, community = dealt[:2], dealt[2:]
    steps = _dealt(dealing, own)
    for stage, decision in enumerate(_decisions(strategy, own, community)):
        what = "folds" if decision == FOLD else f"makes {raises[stage]} {AMOUNTS[decision]}"
        steps.append(Step("Player", what, sections.raised[stage]))
        if decision == FOLD:
            steps.append(
                Step("Community cards", "are turned over without the player", sections.turned[stage], community[stage:])
            )
            break
        turned = (community[stage],)
        steps.append(Step("Community cards", f"the {ORDINALS[stage]} is turned over", sections.turned[stage], turned))
    return steps


def _dealt(dealing: Dealing, own: Cards) -> list[Step]:
    return [
        Step("Player", "is dealt two cards", dealing.own, own),
        Step("Community cards", "three are dealt face down", dealing.community),
    ]


def _decisions(strategy: Strategy, own: Sequence[int], community: Sequence[int]) -> list[int]:
    """Return the decisions taken, up to a fold."""
    a, b, c = sorted((*own, community[0]), reverse=True)
    places = (
        place_2(max(own), min(own)),
        with_third(max(own), min(own), community[0]),
        with_fourth(a, b, c, community[1]),
    )
    taken, thrice = [int(strategy.first[places[0]]) % EQUAL], 0
    for table, place in zip((strategy.second, strategy.third), places[1:], strict=True):
        if taken[-1] != FOLD:
            thrice += taken[-1] // 2
            taken.append(int(table[place, thrice]) % EQUAL)
    return taken


def largest_street_round(
    chapter: Chapter,
    table: Paytable,
    sections: Sections,
    raises: Stages,
    stakes: Mapping[str, Fraction],
    leaves_out: Collection[str],
) -> LargestRound:
    """Return the highest row that the limit covers, on the Ante and on as many Antes of raises as the limit counts.

    No other deal wins more: every unit is paid by the row of the same five cards, so the most is that of the highest
    row, and no unit can be added to those that the limit covers. The requirement says how many there are: a raise of
    the minimum at each stage, or of three times the minimum.
    """
    line = max(
        (line for line in table.rows if line.outcome not in leaves_out), key=lambda row: net_of(row.pays[0], table)
    )
    units = len(next(requirement.covers for requirement in chapter.requirements if requirement.covers))
    raised = THRICE if units > len(ORDINALS) + 1 else ONCE
    result = len(table.rows) - table.rows.index(line)
    hand = cards(EXAMPLES[result])
    deal = _dealt(sections.dealing({}), hand[:2])
    for stage, card in enumerate(hand[2:]):
        deal.append(Step("Player", f"makes {raises[stage]} {AMOUNTS[raised]}", sections.raised[stage]))
        deal.append(Step("Community cards", f"the {ORDINALS[stage]} is turned over", sections.turned[stage], (card,)))
    pays = f"{line.outcome}: {line.pays[0].printed} on {units} Antes, the Ante and three raises {AMOUNTS[raised]}"
    return LargestRound(tuple(deal), (PartWon("ante", stakes["ante"], net_of(line.pays[0], table) * units, pays),))
