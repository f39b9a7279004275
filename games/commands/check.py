"""`python -m games check N --config FILE`: the findings; exit status 1 where one blocks.

Not here: what a portal refuses because its text is missing (`games.rules.missing_text`); a command has no settings.
"""

import argparse
import json

from games.commands.inputs import add_chapter, add_config, add_day, add_json, asked_chapter, read_answers
from games.rules.evaluate import judge
from games.rules.export import finding_data
from games.rules.model import Judgment


def configure(parser: argparse.ArgumentParser) -> None:
    add_chapter(parser)
    add_day(parser)
    add_config(parser, required=True)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    chapter = asked_chapter(arguments)
    judgment = judge(chapter, read_answers(arguments.config))
    if arguments.json:
        report = {
            "chapter": chapter.number,
            "rules_digest": chapter.digest,
            "blocking": len(judgment.blocking),
            "findings": [finding_data(finding) for finding in judgment.findings],
            "offered": list(judgment.offered),
            "paytables": dict(judgment.paytables),
        }
        print(json.dumps(report, indent=2, ensure_ascii=False))
    else:
        _print(judgment)
    return 1 if judgment.blocking else 0


def _print(judgment: Judgment) -> None:
    for finding in judgment.findings:
        print(f"{finding.severity}: {finding.message} {finding.fix} ({finding.citation}; {finding.rule})")
    print(f"{len(judgment.findings)} findings, {len(judgment.blocking)} of them blocking")
