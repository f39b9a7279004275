"""The chapters, one folder each. A folder is data and `play.py`; how to add one: README.md.

`GAMES_CHAPTERS` names further folders with chapters, separated by colons: drafts of new games.
"""

import os
from pathlib import Path

__path__ += [str(Path(folder).resolve()) for folder in os.environ.get("GAMES_CHAPTERS", "").split(":") if folder]
