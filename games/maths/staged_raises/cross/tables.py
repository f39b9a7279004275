"""The decisions on the first two bets on a cross as tables that a person can check.

The second depends on the two own cards and on the outer cards of the row. Most hands bet alike for any cards there;
for each of the others a square says it for one outer card against the other, cards that never differ put together.
"""

from collections.abc import Mapping
from itertools import combinations_with_replacement

from games.maths.cards import RANKS, SUITS
from games.maths.results import StrategyTable
from games.maths.staged_raises.cross.best_play import Play
from games.maths.staged_raises.cross.starts import Start, starts
from games.maths.staged_raises.streets.best_play import FOLD

Label = tuple[int, bool]  # rank; whether of a suit that the own cards have
Square = Mapping[tuple[Label, Label], int]
LABELS: tuple[Label, ...] = tuple((rank, own) for own in (False, True) for rank in reversed(range(len(RANKS))))
MIXED = "table"


def tables(play: Play, first_bet: str, second_bet: str) -> tuple[StrategyTable, ...]:
    """Both bets by starting hand; then the squares of the hands whose second bet depends on the row."""
    across: dict[int, str] = {}
    down: dict[int, str] = {}
    squares: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for start in starts():
        across[start.place] = _said(int(play.first[start.place]))
        said = {_said(decision) for decision in set(play.second[start.place, start.pairs[:, 0]].tolist())}
        down[start.place] = "–" if across[start.place] == _said(FOLD) else MIXED if len(said) > 1 else said.pop()
        if down[start.place] == MIXED:
            squares.setdefault(_grouped(square(play, start)), []).append(_name(start))
    grids = (_grid(first_bet, across), _grid(f"{second_bet} ({MIXED}: see the tables by hand)", down))
    return (*grids, *(_table(second_bet, names, lines) for lines, names in squares.items()))


def square(play: Play, start: Start) -> Square:
    """The second bet by the labels of the row's outer cards; `ValueError` where these do not decide."""
    decisions: dict[tuple[Label, Label], int] = {}
    suits = {card % len(SUITS) for card in start.own}
    for place, high, low in start.pairs.tolist():
        first, second = ((card // 4, card % 4 in suits) for card in (high, low))
        decision = int(play.second[start.place, place])
        for key in ((first, second), (second, first)):
            if decisions.setdefault(key, decision) != decision:
                raise ValueError(f"the second bet with {_name(start)} depends on more than {key}")
    return decisions


def _grouped(decisions: Square) -> tuple[tuple[str, ...], ...]:
    """Header and lines of the square, labels put together that decide alike with every other."""
    groups: list[list[Label]] = []
    for label in (label for label in LABELS if any(label in pair for pair in decisions)):
        home = next((group for group in groups if all(_alike(decisions, label, member) for member in group)), None)
        if home is None:
            groups.append(home := [])
        home.append(label)
    known = {}
    for (left, first), (right, second) in combinations_with_replacement(enumerate(groups), 2):
        said = {_said(decisions[a, b]) for a in first for b in second if (a, b) in decisions}
        known[left, right] = known[right, left] = "/".join(sorted(said)) or "–"
    names = tuple(_labels(group) for group in groups)
    return (
        ("", *names),
        *((name, *(known[left, right] for right in range(len(groups)))) for left, name in enumerate(names)),
    )


def _alike(decisions: Square, first: Label, second: Label) -> bool:
    """Whether no third card distinguishes them, nor the two from a pair of either."""
    said = {decisions[pair] for pair in ((first, first), (first, second), (second, second)) if pair in decisions}
    return len(said) < 2 and all(
        decisions.get((first, third), decision) == decision
        for third in LABELS
        if third not in (first, second) and (decision := decisions.get((second, third))) is not None
    )


def _labels(group: list[Label]) -> str:
    """ "K Q 9", those of an own suit with a star."""
    return " ".join(RANKS[rank] + "*" * own for rank, own in group)


def _said(decision: int) -> str:
    return "fold" if decision == FOLD else f"{decision}×"


def _name(start: Start) -> str:
    ranks = "".join(RANKS[rank] for rank in sorted((card // 4 for card in start.own), reverse=True))
    return ranks if ranks[0] == ranks[1] else ranks + ("s" if len({card % 4 for card in start.own}) == 1 else "o")


def _grid(title: str, cells: Mapping[int, str]) -> StrategyTable:
    ranks = range(len(RANKS) - 1, -1, -1)
    names = tuple(RANKS[rank] for rank in ranks)
    lines = tuple((RANKS[row], *(cells[row * len(RANKS) + column] for column in ranks)) for row in ranks)
    return StrategyTable(f"{title}: two cards of one suit above the diagonal, of two below", ("", *names), lines)


def _table(bet: str, names: list[str], lines: tuple[tuple[str, ...], ...]) -> StrategyTable:
    title = f"{bet} with {', '.join(names)}: one outer card of the row against the other (* of an own suit)"
    return StrategyTable(title, lines[0], lines[1:])
