"""Static files under names that carry a digest of their content, so that a browser may store them for a year.

`manage.py prepare` collects them, compresses them and writes the list of their names. Before it did, as in tests or for
a command at a fresh checkout, the plain names count. Not here: serving them (WhiteNoise).
"""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

# What no page uses: sources, their maps, icons by the thousand, styles of documents, the pages of frameworks.
UNUSED = (
    "scss", "theme", "components", "uswds.css", "uswds.js", "uswds-init.js", "*.map", "*.ttf",
    "material-icons*", "uswds-icons", "public-sans", "documents", "ext", "htm*-4*", "rest_framework",
    "redoc", "oauth2-redirect.*", "swagger-ui-standalone-preset.js", "favicon-32x32.png",
)  # fmt: skip
COLLECTED = ".collected"  # in the folder of static files: the digest of what they were made from


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # WhiteNoise has no types
    """The storage of `STORAGES["staticfiles"]`."""

    # Maps of sources are not collected, so what refers to them stays as it is.
    patterns = tuple(
        (files, tuple(pattern for pattern in references if "sourceMappingURL" not in str(pattern)))
        for files, references in HashedFilesMixin.patterns
    )

    def stored_name(self, name: str) -> str:
        """The name with the digest; once there is a list of names, a file that is not in it is an error."""
        return str(super().stored_name(name)) if self.hashed_files else name


def collect() -> None:
    """Collect, name and compress the static files, if they are others than those collected last."""
    made, now = settings.STATIC_ROOT / COLLECTED, sources_digest()
    if made.exists() and made.read_text() == now:
        return
    made.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=list(UNUSED))
    made.write_text(now)


def sources_digest() -> str:
    """Return the digest of names and contents of all that is collected, and of this module, which says how."""
    sources = sha256(Path(__file__).read_bytes())
    for name, path in sorted(_sources()):
        sources.update(f"\n{name} ".encode() + sha256(path.read_bytes()).digest())
    return sources.hexdigest()


def _sources() -> Iterator[tuple[str, Path]]:
    for finder in finders.get_finders():
        storage: Any
        for name, storage in finder.list(list(UNUSED)):
            yield f"{getattr(storage, 'prefix', None) or ''}/{name}", Path(storage.path(name))
