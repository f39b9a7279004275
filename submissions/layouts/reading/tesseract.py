"""Tesseract (the Debian package `tesseract-ocr`): the words on a sheet of level lines, each with how sure it is."""

from __future__ import annotations

import csv
import io
import os
import shutil
import subprocess
from dataclasses import dataclass

from PIL import Image

from submissions.errors import Refusal

SECONDS = 20  # for one sheet; it takes two or three where the machine has nothing else to do
MISSING = Refusal(
    "ocr-missing",
    "This machine has no Tesseract, so pictures cannot be read here.",
    fix="Upload the drawing as SVG or PDF with its text as text, or install tesseract-ocr.",
)
FAILED = Refusal(
    "ocr-failed",
    "The drawing is a picture, or shows its letters as outlines, and they could not be recognised in time.",
    fix="Upload it as SVG or PDF with its text as text, or at a lower resolution.",
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A word and its frame on the sheet, in pixels."""

    text: str
    left: int
    top: int
    wide: int
    high: int
    certainty: float  # 0 to 1


def available() -> bool:
    return shutil.which("tesseract") is not None


def recognised(sheet: Image.Image) -> list[Seen]:
    """The words of a sheet that is one column of lines.

    Raises:
        Refusal: `ocr-failed`.
    """
    sent = io.BytesIO()
    sheet.save(sent, "PNG", compress_level=1, dpi=(300, 300))
    command = ["tesseract", "stdin", "stdout", "--psm", "6", "-l", "eng", "-c", "tessedit_do_invert=0", "tsv"]
    only = {"PATH": os.environ.get("PATH", ""), "OMP_THREAD_LIMIT": "1", "LC_ALL": "C.UTF-8"}
    try:
        ended = subprocess.run(command, input=sent.getvalue(), capture_output=True, timeout=SECONDS, env=only)
    except (subprocess.TimeoutExpired, OSError) as error:
        raise FAILED from error
    if ended.returncode:
        raise FAILED
    rows = csv.DictReader(io.StringIO(ended.stdout.decode(errors="replace")), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [_seen(row) for row in rows if any(letter.isalnum() for letter in row["text"])]


def _seen(row: dict[str, str]) -> Seen:
    left, top, wide, high = (int(row[key]) for key in ("left", "top", "width", "height"))
    return Seen(row["text"].strip(), left, top, wide, high, max(0.0, float(row["conf"])) / 100)
