"""The parts of a chapter that can implement a sentence, each under one name: `option:bust_it_wager`, `replay:.7(g)`.

    option, requirement, wager, paytable, element, reading
              a record of the data files (`reading`: interpretation note)
    replay    a step or a settlement of a round, by the section that it cites
    guide     a sentence of the guide for players, by the section that it cites
    play      the mathematics as a whole: decks, values, ranks, hands, which every figure and every round depends on

Not here: which sentence has which (`coverage`).
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from games.rules.model import Chapter
from games.rules.words import GuideText

KINDS = ("option", "requirement", "wager", "paytable", "replay", "element", "play", "reading", "guide")
"""In this order a sentence with several is counted once."""
BY_SECTION = ("replay", "guide")
PLAY = "play"
_PATH = re.compile(r"\([a-zA-Z0-9]+\)(?:\[\d+\])?")


@dataclass(frozen=True, slots=True)
class Implementations:
    """The names of a chapter, with the citations of each, and the names by citation."""

    number: str
    citations: Mapping[str, tuple[str, ...]]

    def citing(self, citation: str) -> tuple[str, ...]:
        """Return the names that cite exactly this place, in the order of `KINDS`."""
        return tuple(name for name, places in self.citations.items() if citation in places)

    def nearest(self, kind: str, citation: str) -> str | None:
        """Return the name of a `replay` or `guide` at the citation, else above it in the section, else below it."""
        places = {cited[0]: name for name, cited in self.citations.items() if name.startswith(f"{kind}:")}
        for above in (citation, *_ancestors(citation)):
            if above in places:
                return places[above]
        return next((name for place, name in places.items() if place.startswith(f"{citation}(")), None)


def implementations(chapter: Chapter, guide: GuideText | None, played: Collection[str]) -> Implementations:
    """Return all implementations of the chapter; `played`: sections that its play cites; `guide`: None without one."""
    names: dict[str, list[str]] = {PLAY: []}
    for kind, key, citation in (*_records(chapter), *_sections(chapter, guide, played)):
        if citation:
            names.setdefault(f"{kind}:{key}", []).append(citation)
    order = sorted(names, key=lambda name: KINDS.index(name.partition(":")[0]))
    return Implementations(chapter.number, {name: tuple(dict.fromkeys(names[name])) for name in order})


def _records(chapter: Chapter) -> Iterator[tuple[str, str, str]]:
    number = f"{chapter.number}."
    yield from (("option", option.key, option.citation) for option in chapter.options)
    for requirement in chapter.requirements:
        yield "requirement", requirement.id.removeprefix(number), requirement.citation
    for wager in chapter.wagers:
        yield from (("wager", wager.key, citation) for citation in (wager.citation, wager.settled))
    yield from (("paytable", table.key, table.citation) for table in chapter.paytables)
    yield from (("element", element.key, element.citation) for element in chapter.layout)
    yield from (("reading", reading.id.removeprefix(number), reading.citation) for reading in chapter.readings)


def _sections(chapter: Chapter, guide: GuideText | None, played: Collection[str]) -> Iterator[tuple[str, str, str]]:
    prefix = f"§ {chapter.number}"
    settled = [citation for wager in chapter.wagers for citation in (wager.settled,)]
    paid = [table.citation for table in chapter.paytables]
    for citation in dict.fromkeys((*played, *settled, *paid)):
        if citation.startswith(prefix):
            yield "replay", citation.removeprefix(prefix), citation
    if guide:
        sentences = (guide.object, *guide.steps, *(row for _, row in (*guide.notices, *guide.beneath, *guide.sizes)))
        cited = [place for row in (*sentences, *guide.fixed) if row for place in row.at]
        yield from (("guide", citation.removeprefix(prefix), citation) for citation in dict.fromkeys(cited))


def _ancestors(citation: str) -> Iterator[str]:
    """Yield `§ 1.7(a)(2)` of `§ 1.7(a)(2)(i)`, then `§ 1.7(a)`; not the section, which says too little."""
    steps = _PATH.findall(citation)
    section = citation.partition("(")[0]
    for depth in range(len(steps) - 1, 0, -1):
        yield section + "".join(steps[:depth])
