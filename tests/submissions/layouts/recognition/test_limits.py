"""The limits of the isolated process that reads a drawing: memory, and time with a clear refusal."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from PIL import Image

from submissions.core.errors import Refusal
from submissions.core.isolated_process import PROJECT
from submissions.layouts.recognition import line_recognition, picture
from submissions.layouts.recognition.drawing_files import read_drawing, run_isolated
from tests.soak import also
from tests.submissions.layouts.recognition.built import pdf, svg

MOST = 500 << 10  # kilobytes


MEASURED = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(kind: str, content: IO[bytes]) -> int:
    """Kilobytes of the process that reads, or of one that it started; a small process starts it, whose own count."""
    command = [sys.executable, "-c", MEASURED, *run_isolated.command, kind]
    environment = {**os.environ, **run_isolated.environment}
    ended = subprocess.run(command, stdin=content, capture_output=True, cwd=PROJECT, env=environment)
    return int(ended.stdout)


def saved(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], kind: str) -> bytes:
    kept = io.BytesIO()
    Image.fromarray(pixels).save(kept, kind, compress_level=1, quality=40)
    return kept.getvalue()


def plain() -> bytes:
    """As many pixels as are read, transparent ones, in a small file."""
    return saved(np.full((6300, 6300, 4), 128, np.uint8), "PNG")


def noise() -> bytes:
    """Specks everywhere, as many as fit."""
    return saved(np.random.default_rng(1).integers(0, 256, (3300, 3300, 3), np.uint8), "JPEG")


def crowded() -> bytes:
    return svg("".join(f'<text x="{n % 400}" y="{n % 200}">Ante {n}</text>' for n in range(2_000)))


def lines() -> bytes:
    return pdf(b"".join(b"%d %d m %d %d l S " % (n % 400, n % 200, n % 399, n % 199) for n in range(30_000)))


DRAWINGS = {"plain": plain, "noise": noise, "crowded": crowded, "lines": lines}
TAKES_MOST = ["picture plain"]
OTHERS = ["picture noise", "picture-preview plain", "svg crowded", "pdf lines", "pdf-preview lines"]


@pytest.mark.parametrize("case", also(TAKES_MOST, OTHERS))
def test_no_drawing_takes_more_than_500_megabytes(case: str, tmp_path: Path) -> None:
    kind, name = case.split()
    (tmp_path / "drawing").write_bytes(DRAWINGS[name]())
    with (tmp_path / "drawing").open("rb") as content:
        assert peak(kind, content) < MOST


@pytest.mark.skipif(not line_recognition.is_tesseract_installed(), reason="Tesseract is not installed")
def test_picture_of_specks_is_told() -> None:
    with pytest.raises(Refusal) as refusal:
        read_drawing("table.jpg", noise())
    assert refusal.value.code == "ocr-failed"


def test_recognition_that_takes_too_long_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    slow = tmp_path / "tesseract"
    slow.write_text("#!/bin/sh\nsleep 9\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(line_recognition, "TESSERACT_SECONDS", 0.2)
    with pytest.raises(Refusal) as refusal:
        picture.read(letters())
    assert refusal.value.code == "ocr-failed"


def test_recognition_that_fails_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "tesseract"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(Refusal) as refusal:
        picture.read(letters())
    assert (refusal.value.code, bool(refusal.value.fix)) == ("ocr-failed", True)


def letters() -> bytes:
    """Three upright strokes and a bar: enough to be looked at."""
    pixels = np.full((200, 400), 255, np.uint8)
    for left in (100, 120, 140):
        pixels[80:110, left : left + 6] = 0
        pixels[104:110, left : left + 16] = 0
    return saved(pixels, "PNG")
