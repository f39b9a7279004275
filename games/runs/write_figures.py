"""`python -m games.runs.write_figures [CHAPTER …]`: compute the figures that are shipped, and write them.

To be run when the rules or the mathematics change: until then the old figures are refused and every process computes
its own. Chapters whose figures are those of the present program are skipped. Some minutes of one core for all of them.
Not here: reading them (`shipped_figures`).
"""

import json
import sys
from collections.abc import Sequence
from typing import Any

from games import registry
from games.maths.export import exact_data
from games.rules.model import Chapter
from games.runs.engine import computed_wagers
from games.runs.shipped_figures import digest_of, shipped_answers, shipped_content, shipped_file


def main(numbers: Sequence[str]) -> None:
    """Write the file of each of these chapters; of all where none is named."""
    for chapter in map(registry.chapter, numbers or registry.folders()):
        if not is_current(chapter):
            shipped_file(chapter.number).write_text(_text(figures(chapter)), "utf-8")
            print(f"{chapter.number} written", flush=True)


def is_current(chapter: Chapter) -> bool:
    """Return True if the figures shipped are of the chapter as it is and of this program."""
    content = shipped_content(chapter.number)
    return content is not None and content["made_from"] == digest_of(chapter)


def figures(chapter: Chapter) -> dict[str, Any]:
    """Return the figures to ship for the chapter, computed now."""
    rows = [
        {"answers": answers, "wagers": exact_data(computed_wagers(chapter, answers))}
        for answers in shipped_answers(chapter)
    ]
    return {"made_from": digest_of(chapter), "figures": rows}


def _text(content: dict[str, Any]) -> str:
    """Return a line for each wager, so that a change can be read."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).replace('{"wager":', '\n{"wager":') + "\n"


if __name__ == "__main__":
    main(sys.argv[1:])
