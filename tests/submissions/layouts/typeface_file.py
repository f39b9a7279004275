"""Makes `submissions/layouts/typeface.toml`: `python -m tests.submissions.layouts.typeface_file > …/typeface.toml`.

The letters are those of Public Sans as USWDS ships it, without kerning and hints. Not here: reading the file.
"""

from __future__ import annotations

from base64 import b64encode
from io import BytesIO
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parents[3] / "node_modules" / "@uswds" / "uswds" / "dist" / "fonts" / "public-sans"
WEIGHTS = {"regular": "PublicSans-Regular.ttf", "bold": "PublicSans-Bold.ttf"}
LETTERS = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100)))) + "–—‘’“”•…"
HEAD = """\
# The letters of the reference layouts: Public Sans 1.008, https://public-sans.digital.gov, under the SIL Open Font License 1.1.
# Basic Latin, Latin-1 and some punctuation, without kerning. `python -m tests.submissions.layouts.typeface_file` makes it.
# woff2: the font as base64. units: per size of the letters. widths: how far each letter advances, in units.
"""  # noqa: E501


def subset(weight: str) -> tuple[TTFont, bytes]:
    """The font with these letters alone, and the same as WOFF2."""
    font = TTFont(FONTS / WEIGHTS[weight], recalcTimestamp=False)
    options = Options(layout_features=[], hinting=False, notdef_outline=True, name_IDs=[0, 1, 2, 5, 13, 14])
    options.drop_tables += ["GDEF", "GPOS", "GSUB"]
    subsetter = Subsetter(options)
    subsetter.populate(text=LETTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    content = BytesIO()
    font.save(content)
    return font, content.getvalue()


def advances(font: TTFont) -> dict[str, int]:
    """Letter → how far it advances, in the font's units."""
    return {chr(code): font["hmtx"][name][0] for code, name in sorted(font.getBestCmap().items())}


def text() -> str:
    parts = [HEAD]
    for weight in WEIGHTS:
        font, content = subset(weight)
        parts += [f"\n[{weight}]\nunits = {font['head'].unitsPerEm}\n", f'woff2 = "{b64encode(content).decode()}"\n']
        by_width: dict[int, str] = {}
        for letter, wide in advances(font).items():
            by_width[wide] = by_width.get(wide, "") + letter
        parts.append(f"\n[{weight}.widths]\n")
        for wide, letters in sorted(by_width.items()):
            parts.append(f"{wide} = {_quoted(letters)}\n")
    return "".join(parts)


def _quoted(letters: str) -> str:
    """As a string of TOML; the two letters that look like others by their code."""
    for letter, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\xa0", "\\u00a0"), ("\xad", "\\u00ad")):
        letters = letters.replace(letter, escaped)
    return f'"{letters}"'


if __name__ == "__main__":
    print(text(), end="")
