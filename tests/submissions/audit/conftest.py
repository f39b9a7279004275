"""A whole history, written once for a module that changes it, with the folder of its checkpoints."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import override_settings
from pytest_django import Settings

from tests.submissions.audit.whole_history import write_history


@pytest.fixture(scope="module")
def checkpoint_folder(module_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the history. Few rounds, so that its simulations take a second."""
    folder = tmp_path_factory.mktemp("history") / "checkpoints"
    with override_settings(CHECKPOINTS=folder, SIMULATION_ROUNDS=200_000, JOB_CLOCK="process"):
        write_history()
    return folder


@pytest.fixture
def history(checkpoint_folder: Path, db: None, settings: Settings) -> None:
    settings.CHECKPOINTS, settings.JOB_CLOCK = checkpoint_folder, "process"
