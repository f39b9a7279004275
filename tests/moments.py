"""`python -m tests.moments COMMAND …`: run a command once at each of eight moments at which days and hours are counted
differently. Every process that it starts has the shifted wall clock; the monotonic clock stays true.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from bench.cluster.machines import build_clock

EASTERN = ZoneInfo("America/New_York")
MOMENTS = {  # a minute or two before it: the command passes through it
    "daylight saving begins": datetime(2027, 3, 14, 1, 58, tzinfo=EASTERN),
    "daylight saving ends": datetime(2027, 11, 7, 1, 58, tzinfo=EASTERN),
    "the repeated hour": datetime(2027, 11, 7, 1, 30, fold=1, tzinfo=EASTERN),
    "midnight in Pennsylvania": datetime(2027, 6, 15, 23, 58, tzinfo=EASTERN),
    "midnight of UTC": datetime(2027, 6, 15, 19, 58, tzinfo=EASTERN),
    "end of a month": datetime(2027, 4, 30, 23, 58, tzinfo=EASTERN),
    "end of a year": datetime(2027, 12, 31, 23, 58, tzinfo=EASTERN),
    "February 29": datetime(2028, 2, 29, 23, 58, tzinfo=EASTERN),
}


def main(command: list[str]) -> int:
    failed = []
    with tempfile.TemporaryDirectory(prefix="portal-clock-") as folder:
        library, clock = build_clock(Path(folder)), Path(folder) / "clock"
        shifted = {**os.environ, "LD_PRELOAD": str(library), "PORTAL_WRONG_CLOCK": str(clock)}
        for name, moment in MOMENTS.items():
            print(f"moment    {name}: {moment.isoformat()}", flush=True)
            clock.write_bytes(int(moment.timestamp() - time.time()).to_bytes(8, sys.byteorder, signed=True))
            if subprocess.run(command, env=shifted).returncode:
                failed.append(name)
    print(f"moments   failed: {', '.join(failed)}" if failed else f"moments   all {len(MOMENTS)} passed", flush=True)
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
