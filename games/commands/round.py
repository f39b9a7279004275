"""`python -m games round N --config FILE --seed S --block B --index I`: one simulated round told step by step."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import Any

from games.commands import BadUse
from games.commands.inputs import add_chapter, add_config, add_json, read_answers, read_chapter, refuse_blocked
from games.maths.cards import names, symbols
from games.maths.run import analyze
from games.maths.stories import Story, tell
from games.maths.streams import SEED_LIMIT
from games.rules.registry import play

LARGEST_BLOCK = 10**12


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_config(parser, required=True)
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the seed of the run")
    parser.add_argument("--block", type=int, default=0, metavar="B", help="its block, from 0")
    parser.add_argument("--index", type=int, default=0, metavar="I", help="the round within the block, from 0")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapter = read_chapter(arguments.chapter)
    answers = read_answers(arguments.config)
    refuse_blocked(chapter, answers)
    for name, limit in (("seed", SEED_LIMIT), ("block", LARGEST_BLOCK), ("index", play(chapter.number).BLOCK_ROUNDS)):
        if not 0 <= getattr(arguments, name) < limit:
            raise BadUse(f"--{name} {getattr(arguments, name)}: allowed are 0 to {limit - 1:,}")
    try:
        place = (arguments.seed, arguments.block, arguments.index)
        story = tell(chapter, answers, analyze(chapter, answers), *place)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print(json.dumps(_data(story), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(story)
    return 0


def _data(story: Story) -> dict[str, Any]:
    """Cards as "As Kd Jk"; nets and amounts wagered as fractions of a unit."""
    return {
        "chapter": story.chapter,
        "seed": story.seed,
        "block": story.block,
        "index": story.index,
        "steps": [{**asdict(step), "cards": names(step.cards)} for step in story.steps],
        "settlements": [
            {
                "wager": one.wager,
                "paytable": one.paytable,
                "outcome": one.row.outcome,
                "pays": one.row.pays,
                "wagered": str(one.row.wagered),
                "net": str(one.row.net),
                "section": one.section,
            }
            for one in story.settlements
        ],
    }


def _print(story: Story) -> None:
    print(f"Chapter {story.chapter}, seed {story.seed}, block {story.block}, round {story.index} of it")
    for step in story.steps:
        cards = f": {symbols(step.cards)}" if step.cards else ""
        print(f"  {step.who} {step.what}{cards}   {step.section}")
    for one in story.settlements:
        odds = f", {one.row.pays}" if one.row.pays else ""
        name = " ".join(filter(None, (one.wager, one.paytable)))
        print(f"{name}: {one.row.outcome}{odds}: {float(one.row.net):+g} units   {one.section}")
