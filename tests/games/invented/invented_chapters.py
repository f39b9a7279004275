"""The invented chapters: games that nobody plays, whose folders show how much one has to write for a new game.

`python -m tests.games.invented.invented_chapters` prints how many lines that are, file by file.
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "chapters"
FOLDERS = {path.name.removeprefix("ch").partition("_")[0]: path for path in sorted(FOLDER.glob("ch*_*"))}
"""Chapter number → its folder."""
NUMBERS = list(FOLDERS)


def lines_written(folder: Path) -> dict[str, int]:
    """File → its lines that are not empty."""
    files = (file for file in sorted(folder.rglob("*.*")) if "__pycache__" not in file.parts)
    return {
        file.relative_to(folder).as_posix(): sum(bool(line.strip()) for line in file.read_text("utf-8").splitlines())
        for file in files
    }


def main() -> None:
    for folder in FOLDERS.values():
        lines = lines_written(folder)
        print(f"{folder.name}: {sum(lines.values()):,} lines")
        for name, count in lines.items():
            print(f"  {name:28}{count:>6,}")


if __name__ == "__main__":
    main()
