"""One Python process that runs the blocks of a page one after the other: it imports the generated client's hundreds of
modules once. Each block has names of its own, as if it were a program. Started by `guide_blocks.python_session`.
"""

from __future__ import annotations

import io
import json
import sys
from contextlib import redirect_stdout


def main() -> None:
    """Run each block that is sent as a line of JSON; print what it printed as another."""
    for line in sys.stdin:
        printed = io.StringIO()
        with redirect_stdout(printed):
            exec(json.loads(line), {"__name__": "__main__"})  # noqa: S102  the project's own pages
        print(json.dumps(printed.getvalue()), flush=True)


if __name__ == "__main__":
    main()
