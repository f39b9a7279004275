"""Tesseract (the Debian package `tesseract-ocr`): the words on a sheet of level lines, each with its certainty."""

import csv
import io
import os
import shutil
import subprocess
from dataclasses import dataclass

from PIL import Image

from submissions.core.errors import Refusal

SECONDS = 20  # for one sheet; it takes two or three on an idle machine
DASHES = "-\u2013\u2014"
MISSING = Refusal("ocr-missing")
FAILED = Refusal("ocr-failed/unreadable")


@dataclass(frozen=True, slots=True)
class RecognizedWord:
    """A word and its frame on the sheet, in pixels."""

    text: str
    left: int
    top: int
    wide: int
    high: int
    certainty: float  # 0 to 1


def is_installed() -> bool:
    return shutil.which("tesseract") is not None


def recognize(sheet: Image.Image) -> list[RecognizedWord]:
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
    words = []
    for row in rows:
        if any(letter.isalnum() or letter in DASHES for letter in row["text"]):
            left, top, wide, high = (int(row[key]) for key in ("left", "top", "width", "height"))
            certainty = max(0.0, float(row["conf"])) / 100
            words.append(RecognizedWord(row["text"].strip(), left, top, wide, high, certainty))
    return words
