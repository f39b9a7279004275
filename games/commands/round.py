"""`python -m games round N --config FILE --seed S --block B --index I`: the replay of one simulated round."""

import argparse
import json
from dataclasses import asdict
from typing import Any

from games.commands import BadUse
from games.commands.inputs import (
    add_chapter,
    add_config,
    add_day,
    add_json,
    asked_chapter,
    read_answers,
    refuse_blocked,
)
from games.maths.cards import names, symbols
from games.maths.streams import SEED_LIMIT
from games.registry import play
from games.runs.engine import Replay, analyze, replay_round

LARGEST_BLOCK = 10**12


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_day(parser)
    add_config(parser, required=True)
    parser.add_argument("--seed", type=int, required=True, metavar="S", help="the seed of the run")
    parser.add_argument("--block", type=int, default=0, metavar="B", help="its block, from 0")
    parser.add_argument("--index", type=int, default=0, metavar="I", help="the round within the block, from 0")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    answers = read_answers(arguments.config)
    refuse_blocked(chapter, answers)
    for name, limit in (("seed", SEED_LIMIT), ("block", LARGEST_BLOCK), ("index", play(chapter.number).block_rounds)):
        if not 0 <= getattr(arguments, name) < limit:
            raise BadUse(f"--{name} {getattr(arguments, name)}: allowed are 0 to {limit - 1:,}")
    try:
        place = (arguments.seed, arguments.block, arguments.index)
        replay = replay_round(chapter, answers, analyze(chapter, answers), *place)
    except ValueError as error:
        raise BadUse(f"chapter {chapter.number}: {error}") from None
    if arguments.json:
        print(json.dumps(_data(replay), indent=2, ensure_ascii=False, allow_nan=False))
    else:
        _print(replay)
    return 0


def _data(replay: Replay) -> dict[str, Any]:
    """Return the round's data: cards as "As Kd Jk"; nets and amounts wagered as fractions of a unit."""
    return {
        "chapter": replay.chapter,
        "seed": replay.seed,
        "block": replay.block,
        "index": replay.index,
        "steps": [{**asdict(step), "cards": names(step.cards)} for step in replay.steps],
        "settlements": [
            {
                "wager": settlement.wager,
                "paytable": settlement.paytable,
                "outcome": settlement.row.outcome,
                "pays": settlement.row.pays,
                "wagered": str(settlement.row.wagered),
                "net": str(settlement.row.net),
                "section": settlement.section,
            }
            for settlement in replay.settlements
        ],
    }


def _print(replay: Replay) -> None:
    print(f"Chapter {replay.chapter}, seed {replay.seed}, block {replay.block}, round {replay.index} of it")
    for step in replay.steps:
        cards = f": {symbols(step.cards)}" if step.cards else ""
        print(f"  {step.who} {step.what}{cards}   {step.section}")
    for settlement in replay.settlements:
        odds = f", {settlement.row.pays}" if settlement.row.pays else ""
        name = " ".join(filter(None, (settlement.wager, settlement.paytable)))
        print(f"{name}: {settlement.row.outcome}{odds}: {float(settlement.row.net):+g} units   {settlement.section}")
