"""`python -m tests.submissions.layouts.held_set.cost REVIEWED`: what an inspection costs, beside the reviewed version.

REVIEWED is a checkout of the version that was reviewed (commit d132cd0), with packages of its own in `.venv`. Of each
kind of drawing, the command `manage.py inspect_layout` is run for one layout in both versions, and the section on cost
of `docs/held-set.md` is written. `strace` counts the processes.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tests.submissions.layouts.held_set.judging import COMPLETE, HeldDrawing
from tests.submissions.layouts.held_set.table import PAGE, PROJECT

NUMBER = "590"
RUNS = 3
STATUSES = (0, 1)  # of the command: complete, not complete; a crash says nothing on the standard output
CRASHED = 2
STYLES = {
    "SVG by hand": "drawing.svg",
    "PDF ReportLab": "drawing.pdf",
    "SVG outlined": "outlined.svg",
    "PNG 2.5 px/mm, serif": "drawing.png",
    "JPEG 60, bold": "drawing.jpg",
    "Scan, askew up to 5°": "scan.jpg",
}
HEADING = "## Seconds, memory and processes"
OPENING = f"""{HEADING}

The command `manage.py inspect_layout` for the complete layout of chapter {NUMBER}, as a whole, with the start of
Python and Django: processor time (the middle one of {RUNS} runs), memory of its largest process, and programs that it
starts, itself included. Beside it, the same for the version that was reviewed (commit d132cd0), on the same drawings
and the same machine. `python -m tests.submissions.layouts.held_set.cost REVIEWED` writes this section.

| Drawing | Seconds | reviewed | Memory, MB | reviewed | Processes | reviewed |
| :-- | --: | --: | --: | --: | --: | --: |
"""


@dataclass(frozen=True, slots=True)
class Cost:
    seconds: float  # of the processor
    megabytes: int  # of the largest process
    processes: int


def cost_of(project: Path, drawing: Path) -> Cost:
    """Of the command in that checkout."""
    command = [str(project / ".venv" / "bin" / "python"), "manage.py", "inspect_layout", str(drawing), NUMBER]
    runs = [_run(command, project) for _ in range(RUNS)]
    return Cost(
        median(seconds for seconds, _ in runs), max(largest for _, largest in runs), _processes(command, project)
    )


def _run(command: list[str], project: Path) -> tuple[float, int]:
    """Seconds and megabytes, measured by a process of its own: memory is that of the largest child so far."""
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        done = subprocess.run(command, cwd=project, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        status = done.returncode if done.stdout else CRASHED
        os.write(writer, f"{used.ru_utime + used.ru_stime} {used.ru_maxrss >> 10} {status}".encode())
        os._exit(0)
    os.close(writer)
    os.waitpid(child, 0)
    with os.fdopen(reader) as measured:
        seconds, megabytes, status = measured.read().split()
    assert int(status) in STATUSES, f"{command} ended with {status} in {project}"
    return float(seconds), int(megabytes)


def _processes(command: list[str], project: Path) -> int:
    with tempfile.NamedTemporaryFile() as calls:
        traced = ["strace", "-f", "-qq", "-e", "trace=execve", "-e", "signal=none", "-o", calls.name, *command]
        subprocess.run(traced, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        lines = Path(calls.name).read_text(encoding="utf-8", errors="replace").splitlines()
    return len({line.split()[0] for line in lines if "execve(" in line and line.endswith("= 0")})


def section(reviewed: Path) -> str:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for style, name in STYLES.items():
            drawing = Path(folder) / name
            drawing.write_bytes(HeldDrawing(style, NUMBER, COMPLETE).content())
            now, before = cost_of(PROJECT, drawing), cost_of(reviewed, drawing)
            cells = (
                style,
                f"{now.seconds:.1f}",
                f"{before.seconds:.1f}",
                now.megabytes,
                before.megabytes,
                now.processes,
                before.processes,
            )
            rows.append(f"| {' | '.join(map(str, cells))} |\n")
    return OPENING + "".join(rows)


def main(reviewed: str) -> None:
    before = PAGE.read_text(encoding="utf-8").partition(HEADING)[0]
    PAGE.write_text(f"{before.rstrip()}\n\n{section(Path(reviewed))}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
