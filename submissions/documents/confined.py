"""Verification of a file from outside, in a process of its own with limits of memory and time.

`python -m submissions.documents.confined ROOTS.pem < FILE.pdf` prints the verification as JSON; `confined` starts it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from asn1crypto import pem, x509

from submissions.documents.verify import Verification, verify

SECONDS = 30
MEMORY = 1 << 30
HOUSE = Path(__file__).resolve().parents[2]
_few_at_a_time = BoundedSemaphore(2)  # anybody may ask: so many times the memory, however many do


def confined(content: bytes, roots: Path) -> Verification:
    """What `verify` says; a file that takes too much time or memory is told so."""
    try:
        with _few_at_a_time:
            ended = subprocess.run(
                [sys.executable, "-m", "submissions.documents.confined", str(roots)],
                input=content,
                capture_output=True,
                cwd=HOUSE,
                timeout=SECONDS + 10,
            )
        said = json.loads(ended.stdout)
    except (subprocess.TimeoutExpired, ValueError):
        return Verification(problems=(f"The file could not be verified within {SECONDS} seconds and 1 GiB.",))
    said.pop("good")
    return Verification(**{**said, "problems": tuple(said["problems"])})


def certificates(path: Path) -> tuple[x509.Certificate, ...]:
    """The certificates of a PEM file."""
    return tuple(x509.Certificate.load(content) for _, _, content in pem.unarmor(path.read_bytes(), multiple=True))


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    found = verify(sys.stdin.buffer.read(), certificates(Path(sys.argv[1])))
    json.dump(found.as_json(), sys.stdout)


if __name__ == "__main__":
    main()
