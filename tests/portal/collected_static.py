"""Skip the static files of a portal whose pages no test asks for: compressing them takes long."""

from pathlib import Path

from portal import storage


def mark_as_collected(folder: Path) -> None:
    """Mark the folder as collected, so that `manage.py prepare` skips it."""
    folder.mkdir(parents=True)
    (folder / storage.COLLECTED).write_text(storage.sources_digest())
