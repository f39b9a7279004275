"""Static files as a portal serves them that was prepared: named by digest, stored for a year, compressed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.test import Client

from portal import storage

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FOREVER = "max-age=315360000, public, immutable"  # ten years
LINKED = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.fixture
def collected(settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder, without the program that shows the API: it takes as long to compress as all else."""
    monkeypatch.setattr(storage, "UNUSED", (*storage.UNUSED, "swagger-ui-dist"))
    settings.STATIC_ROOT, settings.WHITENOISE_USE_FINDERS = tmp_path, False
    storage.collect()
    return tmp_path


def test_collected_file_is_named_by_digest_stored_for_a_year_and_compressed(collected: Path) -> None:
    client = Client(headers={"Accept-Encoding": "gzip"})
    addresses = LINKED.findall(Client().get("/").content.decode())
    assert addresses
    for address in addresses:
        response = client.get(address)
        assert (address, response.status_code, response["Cache-Control"]) == (address, 200, FOREVER)
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", address), address
        assert response["Content-Encoding"] == "gzip", address
        path = collected / address.removeprefix("/static/")
        assert len(response.getvalue()) < path.stat().st_size
    _same_sources_are_collected_once(collected)
    _references_of_styles_lead_to_files(collected)


def _same_sources_are_collected_once(collected: Path) -> None:
    before = (collected / "staticfiles.json").stat().st_mtime_ns
    storage.collect()
    assert (collected / "staticfiles.json").stat().st_mtime_ns == before


def _references_of_styles_lead_to_files(collected: Path) -> None:
    style = next((collected / "uswds" / "css").glob("uswds.min.*.css"))
    addresses = re.findall(r"url\([\"']?(\.\./[^\"')]+)", style.read_text())
    assert addresses
    assert not [address for address in addresses if not (style.parent / address.split("#")[0]).resolve().exists()]


def test_file_that_was_not_collected_has_its_plain_name(settings: LazySettings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path
    assert '"/static/portal/portal.css"' in Client().get("/").content.decode()
