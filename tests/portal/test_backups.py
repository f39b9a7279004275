"""Backups and restores in one process, on the test's own database: what is in the file, what is refused, what returns.

The whole way, with processes and under load, is `test_restore_drill`.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Event as Signal
from threading import Thread
from typing import Any

import pyrage
import pytest
from django.core.management import call_command
from django.db import connection, transaction

from portal.backups import archive, backup
from portal.backups.archive import (
    BackupDamaged,
    BackupRefused,
    Manifest,
    Member,
    Progress,
    make_identity,
    read_identities,
    read_recipients,
)
from portal.backups.databases import figure_problems, present_database
from portal.backups.restored_contents import verify_contents
from submissions.audit.record import record_event
from submissions.audit.row_verification import begin_sealing
from submissions.jobs import leases
from submissions.models import Job, Organization

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.service("migrations", "triggers")]


@pytest.fixture
def var(tmp_path: Path, settings: Any) -> Iterator[Path]:
    """`PORTAL_VAR` with what a portal stores there, and what it makes again."""
    settings.VAR = folder = tmp_path / "var"
    settings.CHECKPOINTS = folder / "checkpoints"
    for name in ("keys/root.crt", "checkpoints/checkpoints.jsonl", "mail/1.log", "static/a.css", "broker.log"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"content of {name}")
    yield folder
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'replaced_%'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP SCHEMA "{name}" CASCADE')


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.txt"
    path.with_suffix(".pub").write_text(make_identity(path, ""))
    return path


def back_up(key: Path, target: Path) -> tuple[Path, Manifest]:
    return backup.make_backup(target, read_recipients(key.with_suffix(".pub")))


def organizations(*slugs: str) -> None:
    begin_sealing()
    for slug in slugs:
        with transaction.atomic():
            row = Organization.objects.create(kind="licensee", name=slug.title(), slug=slug)
            record_event(None, None, "founded", seals=(row,))


def slugs() -> set[str]:
    return set(Organization.objects.values_list("slug", flat=True))


def test_backup_has_the_database_and_every_file_but_what_is_made_again(var: Path, key: Path, tmp_path: Path) -> None:
    organizations("east")
    path, manifest = back_up(key, tmp_path / "a.age")
    names = {member.name for member in manifest.members}
    assert names == {
        "var/keys/root.crt", "var/checkpoints/checkpoints.jsonl", "var/mail/1.log", "database"
    }  # fmt: skip
    assert path.stat().st_mode & 0o077 == 0
    assert manifest.figures.tables["submissions_organisation"] == 1
    assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []
    assert [entry.name for entry in var.iterdir() if entry.name.startswith(".")] == []


def test_backup_opens_with_any_program_that_reads_age_gzip_and_tar(var: Path, key: Path, tmp_path: Path) -> None:
    organizations("east")
    path, manifest = back_up(key, tmp_path / "a.age")
    identity = pyrage.x25519.Identity.from_str(key.read_text().splitlines()[1])
    plain = gzip.decompress(pyrage.decrypt(path.read_bytes(), [identity]))
    with tarfile.open(fileobj=io.BytesIO(plain)) as opened:
        assert opened.getnames() == ["manifest.json", *(member.name for member in manifest.members)]


def test_backup_is_of_one_moment_while_events_are_written(var: Path, key: Path, tmp_path: Path) -> None:
    organizations("east")
    stop, written = Signal(), []

    def write() -> None:
        while not stop.wait(0.01):  # without a pause this thread would take the processor from the backups
            with transaction.atomic():
                row = Organization.objects.create(kind="licensee", name=f"{len(written)}", slug=f"more-{len(written)}")
                written.append(record_event(None, None, "founded", seals=(row,)).sequence)
        connection.close()

    thread = Thread(target=write)
    thread.start()
    try:
        figures = [back_up(key, tmp_path / f"{number}.age")[1].figures for number in range(3)]
    finally:
        stop.set()
        thread.join()
    assert figures[0].tip[0] < figures[2].tip[0] <= written[-1]
    for each in figures:
        assert each.tables["submissions_event"] == each.tip[0]
        assert each.tables["submissions_organisation"] == each.tip[0] - 1  # the first event began the sealing


def test_restore_brings_back_rows_files_and_jobs_and_moves_aside_what_is_there(
    var: Path, key: Path, tmp_path: Path
) -> None:
    organizations("east", "west")
    job = leases.enqueue(Job.Kind.MAIL, 1)
    Job.objects.filter(pk=job.pk).update(state=Job.State.RUNNING, fence=3)
    path, manifest = back_up(key, tmp_path / "a.age")
    organizations("north")
    (var / "keys/root.crt").write_text("another")
    (var / "checkpoints/2026-01-03.p7s").write_text("later")
    (var / "own.p12").write_text("placed by the operator")
    restored = backup.restore_backup(path, read_identities(key, None), replace=True)
    assert (restored.problems, restored.behind) == ((), False)
    assert slugs() == {"east", "west"}
    assert (var / "keys/root.crt").read_text() == "content of keys/root.crt"
    assert not (var / "checkpoints/2026-01-03.p7s").exists()
    assert (var / "own.p12").exists()
    (aside,) = {Path(place).relative_to(var).parts[0] for place in restored.moved[1:]}
    assert (var / aside / "keys/root.crt").read_text() == "another"
    assert (var / aside / "checkpoints/2026-01-03.p7s").read_text() == "later"
    figures, _ = verify_contents(manifest, deep=False)
    assert {figure.name: figure.good for figure in figures}["jobs that were running, due again"] == 1
    assert all(figure.good >= figure.expected for figure in figures)
    assert (Job.objects.get().state, Job.objects.get().fence) == (Job.State.DUE, 4)
    with pytest.raises(Exception, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM submissions_event")
    back_up(key, tmp_path / "b.age")  # what was moved aside is not in the next one
    assert backup.check_backup(tmp_path / "b.age", read_identities(key, None)).figures.tables.keys() == set(
        manifest.figures.tables
    )


def test_restore_into_a_database_with_tables_is_refused(var: Path, key: Path, tmp_path: Path) -> None:
    path, _ = back_up(key, tmp_path / "a.age")
    organizations("east")
    with pytest.raises(BackupRefused, match="is not empty"):
        backup.restore_backup(path, read_identities(key, None), replace=False)
    assert slugs() == {"east"}


@pytest.mark.parametrize("cut", [0, 20, 150, 300, 20_000, -17])
def test_changed_or_cut_backup_is_refused_before_anything_changes(
    cut: int, var: Path, key: Path, tmp_path: Path
) -> None:
    organizations("east")
    path, _ = back_up(key, tmp_path / "a.age")
    content = path.read_bytes()
    organizations("west")
    for damaged in (content[:cut], content[:cut] + bytes([content[cut] ^ 4]) + content[cut:][1:]):
        path.write_bytes(damaged)
        with pytest.raises(BackupDamaged):
            backup.restore_backup(path, read_identities(key, None), replace=True)
    assert slugs() == {"east", "west"}
    assert not list(var.glob("replaced-*"))


def rewritten(path: Path, key: Path, manifest: Manifest, contents: dict[str, Path]) -> Path:
    """A backup that the portal did not make, by someone who has its public key."""
    with path.open("wb") as file:
        archive.write_archive(file, manifest, contents, read_recipients(key.with_suffix(".pub")), Progress("test"))
    return path


def test_backup_that_was_made_elsewhere_is_refused(var: Path, key: Path, tmp_path: Path) -> None:
    organizations("east")
    _, manifest = back_up(key, tmp_path / "a.age")
    file, identities = tmp_path / "file", read_identities(key, None)
    file.write_text("content")
    evil = archive.file_member("var/../evil", file)
    database = archive.file_member("database", file)
    cases = {
        "outside of PORTAL_VAR": replace(manifest, members=(evil,)),
        "is not what its manifest says": replace(manifest, members=(Member("database", 7, "0" * 64),)),
        "later version": replace(
            manifest, members=(database,), figures=replace(manifest.figures, migrations=("submissions.9999_later",))
        ),
        "the database of this portal is": replace(manifest, members=(database,), vendor="oracle"),
        "reads format 2": replace(manifest, members=(database,), format=3),
    }
    for message, forged in cases.items():
        path = rewritten(tmp_path / "forged.age", key, forged, {"var/../evil": file, "database": file})
        with pytest.raises(BackupRefused, match=message):
            backup.restore_backup(path, identities, replace=True)
    assert slugs() == {"east"}
    assert not (tmp_path / "evil").exists()


def test_commands_say_what_is_wrong_with_their_status(
    var: Path, key: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    organizations("east")
    public, other = key.with_suffix(".pub"), tmp_path / "other.txt"
    make_identity(other, "a passphrase")
    phrase = tmp_path / "phrase"
    phrase.write_text("a passphrase\n")
    target = tmp_path / "a.age"

    def status(*arguments: object) -> tuple[int, str]:
        code = 0
        with suppress(SystemExit):
            try:
                call_command(*map(str, arguments))
            except SystemExit as stopped:
                code = int(str(stopped.code))
        return code, "".join(capsys.readouterr())

    assert status("backup", target, "--recipients", public)[0] == 0
    assert status("backup", "--check", target, "--identity", key)[0] == 0
    expected = {
        ("backup", target, "--recipients", public): (2, "exists"),
        ("backup", tmp_path / "no" / "a", "--recipients", public): (2, "does not exist"),
        ("backup", var / "a", "--recipients", public): (2, "is in PORTAL_VAR"),
        ("backup", tmp_path / "b"): (2, "Name the public keys"),
        ("backup", tmp_path / "b", "--recipients", target): (2, "is not a public key"),
        ("backup",): (2, "Name one of"),
        ("backup", "--make-key", key): (2, "Name a file that does not exist"),
        ("backup", "--check", key, "--identity", key): (1, "DAMAGED"),
        ("backup", "--check", target, "--identity", other): (2, "--passphrase-file"),
        ("backup", "--check", target, "--identity", other, "--passphrase-file", phrase): (1, "another key"),
        ("restore", target): (2, "Name the backup and the private key"),
        ("restore", target, "--identity", key): (2, "is not empty"),
        ("restore", "--verify"): (2, "Nothing was restored"),
    }  # fmt: skip
    for arguments, (code, words) in expected.items():
        met, said = status(*arguments)
        assert (met, words in said) == (code, True), (arguments, met, said)


def test_secret_key_of_the_environment_is_not_in_the_backup_and_the_command_says_so(
    var: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (var / "secret-key").write_text("x" * 50)
    monkeypatch.setenv("PORTAL_SECRET_KEY", "y" * 50)
    call_command("backup", str(tmp_path / "a.age"), "--recipients", str(key.with_suffix(".pub")))
    assert "NOT in the backup: PORTAL_SECRET_KEY" in capsys.readouterr().err
    manifest = backup.check_backup(tmp_path / "a.age", read_identities(key, None))
    assert "var/secret-key" not in {member.name for member in manifest.members}
    monkeypatch.delenv("PORTAL_SECRET_KEY")
    _, manifest = back_up(key, tmp_path / "b.age")
    assert "var/secret-key" in {member.name for member in manifest.members}


def test_figures_name_the_table_that_lost_a_row(var: Path, key: Path, tmp_path: Path) -> None:
    organizations("east", "west")
    _, manifest = back_up(key, tmp_path / "a.age")
    Organization.objects.filter(slug="west").delete()
    figures = present_database().figures()
    assert figure_problems(manifest.figures, figures) == ["submissions_organisation: 1 rows; the backup has 2"]
