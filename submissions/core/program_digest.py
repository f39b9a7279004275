"""What names a stored result: a digest of the files that make it, so that one of another release is never used."""

from functools import cache
from hashlib import sha256

from django.conf import settings


@cache
def program_digest(folders: tuple[str, ...]) -> str:
    """SHA-256 of all files in these folders of the project: modules, templates, styles, fonts."""
    files = (path for folder in folders for path in sorted((settings.BASE_DIR / folder).rglob("*.*")))
    return sha256(b"".join(path.read_bytes() for path in files if path.suffix != ".pyc")).hexdigest()
