"""A whole history, written once for a module that changes it, with the folder of its checkpoints."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import override_settings
from pytest_django import Settings

from tests.submissions.audit.whole_history import write_history
from tests.submissions.signed_documents import _demo_keys, key_folder  # noqa: F401  pytest finds fixtures by name


@pytest.fixture(scope="module")
def checkpoint_folder(module_rows: None, key_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: F811
    """Write the history. Few rounds, so that its simulations take a second."""
    folder = tmp_path_factory.mktemp("history") / "checkpoints"
    with override_settings(KEYS=key_folder, CHECKPOINTS=folder, SIMULATION_ROUNDS=200_000, JOB_CLOCK="process"):
        write_history()
    return folder


@pytest.fixture
def history(checkpoint_folder: Path, db: None, settings: Settings) -> None:
    settings.CHECKPOINTS, settings.JOB_CLOCK = checkpoint_folder, "process"
