"""How far a backup is, on standard error: bytes done of all, and an estimate of the time left."""

import sys
import time
from dataclasses import dataclass, field
from typing import TextIO

EVERY = 2.0  # seconds between two lines
MEBIBYTE = 1 << 20


@dataclass(slots=True)
class Progress:
    """One step of the work. `total`: bytes; 0 = unknown."""

    label: str
    total: int = 0
    out: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0
    began: float = field(default_factory=time.monotonic)
    shown: float = field(default_factory=time.monotonic)

    def add(self, size: int) -> None:
        self.at(self.done + size)

    def at(self, done: int, total: int = 0) -> None:
        """So many bytes are done. Prints a line when the last one is old."""
        self.done, self.total = done, total or self.total
        now = time.monotonic()
        if now - self.shown >= EVERY:
            self.shown = now
            self.out.write(f"{self.label:<10} {self._text(now - self.began)}\n")
            self.out.flush()

    def end(self) -> None:
        seconds = time.monotonic() - self.began
        self.out.write(f"{self.label:<10} {self.done / MEBIBYTE:,.1f} MiB in {seconds:.1f} s\n")
        self.out.flush()

    def _text(self, seconds: float) -> str:
        size = f"{self.done / MEBIBYTE:,.1f} MiB"
        if not self.total or not self.done:
            return size
        left = seconds * max(0, self.total - self.done) / self.done
        share = min(100, 100 * self.done // self.total)
        return f"{size} of {self.total / MEBIBYTE:,.1f} MiB ({share} %), about {left:.0f} s left"
