"""The files of docs/operations: the units are sound, their commands run, the proxy passes on, and all of it stops."""

from __future__ import annotations

import configparser
import contextlib
import os
import re
import shlex
import shutil
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID
from django.conf import settings
from docker.utils import exclude_paths

from portal.management.commands.serve import Command
from portal.processes.supervisor import SERVICES
from tests.portal.broker import redis_on_a_port
from tests.portal.running import clean_environment, free_port, listens, shared_environment, until

FOLDER = settings.BASE_DIR / "docs/operations"
UNITS = {service: FOLDER / f"portal-{service}.service" for service in SERVICES}
SEAL = {"/etc/portal", "/etc/portal/seal.p12", "/etc/portal/seal.passphrase"}
INSTALLED = "/opt/portal"  # the folder of the project in the files


def test_there_is_a_unit_for_each_service_and_a_container_too() -> None:
    assert sorted(FOLDER.glob("*.service")) == sorted(UNITS.values())
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    for service, unit in UNITS.items():
        program, *options = services[service]["command"]
        assert program == "serve"
        assert parsed(options).only == parsed(command_of(unit)).only == service


def test_each_container_is_given_only_what_it_uses() -> None:
    services = yaml.safe_load((FOLDER / "compose.yaml").read_text())["services"]
    mounted = {name: [entry.split(":")[0] for entry in row.get("volumes", [])] for name, row in services.items()}
    assert {name for name, paths in mounted.items() if SEAL & set(paths)} == {"prepare", "worker", "sweeper"}
    assert services["web"]["environment"]["PORTAL_SIGNS"] == "0"
    assert mounted["database"] == ["database"]
    assert mounted["broker"] == []
    assert [name for name, row in services.items() if "env_file" in row] == ["prepare", "web", "worker", "sweeper"]
    assert not any(path == "/etc/portal" for paths in mounted.values() for path in paths)


def test_image_is_built_from_the_program_alone(tmp_path: Path) -> None:
    """No key, database, history of the repository or stray file of a checkout is in the context."""
    root = settings.BASE_DIR
    patterns = [line for line in (root / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    for name in (
        ".git/config",
        "var/keys/seal.key",
        "var/portal.sqlite3",
        ".env",
        "portal/portal.env",
        "portal/seal.p12",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("secret")
    assert [name for name in exclude_paths(str(tmp_path), patterns) if (tmp_path / name).is_file()] == []
    context = {name for name in exclude_paths(str(root), patterns) if (root / name).is_file()}
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True)
    assert context <= set(tracked.stdout.split("\0"))
    assert {"manage.py", "setup/__main__.py", "requirements.txt", "portal/settings.py"} <= context


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
@pytest.mark.parametrize("service", SERVICES)
def test_units_are_what_systemd_reads(service: str, tmp_path: Path) -> None:
    unit = tmp_path / UNITS[service].name
    python = Path(sys.executable)
    text = UNITS[service].read_text().replace(f"{INSTALLED}/.venv/bin/python", str(python))
    unit.write_text(text.replace(INSTALLED, str(settings.BASE_DIR)))
    verified = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)], capture_output=True, text=True)
    own = [line for line in verified.stderr.splitlines() if unit.name in line]
    assert (verified.returncode, own) == (0, [])


def test_settings_of_the_example_are_described() -> None:
    described = (settings.BASE_DIR / "docs/settings.md").read_text()
    names = re.findall(r"^(\w+)=", (FOLDER / "portal.env.example").read_text(), re.MULTILINE)
    assert [name for name in names if f"`{name}`" not in described] == []


@pytest.mark.processes
@pytest.mark.service("broker", "locks")
@pytest.mark.xdist_group("processes")
@pytest.mark.django_db(transaction=True)
def test_services_start_alone_behind_the_proxy_and_stop(tmp_path: Path) -> None:
    if not (nginx := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")):
        pytest.skip("nginx is not on this machine: make test-service installs it")
    port, proxy_port = free_port(), free_port()
    with contextlib.ExitStack() as stack:
        environment = {**clean_environment(), **shared_environment(), "PORTAL_TRUSTED_PROXIES": "1"}
        environment |= {"REDIS_URL": stack.enter_context(redis_on_a_port()), "PORTAL_HOSTS": "rules.example.test"}
        started = {
            service: stack.enter_context(unit_running(service, port, environment | {"PORTAL_VAR": str(var)}))
            for service in SERVICES
            for var in [tmp_path / service]  # as on a machine of its own
        }
        stack.enter_context(proxy_running(nginx, tmp_path / "nginx", port, proxy_port))
        until(lambda: listens(port) and listens(proxy_port), 60)
        trusting = ssl.create_default_context(cafile=str(tmp_path / "nginx/fullchain.pem"))
        trusting.check_hostname = False  # the address is 127.0.0.1
        asked = Request(f"https://127.0.0.1:{proxy_port}/register/", headers={"Host": "rules.example.test"})
        with urlopen(asked, timeout=30, context=trusting) as answer:  # noqa: S310
            assert answer.status == 200
        for service in reversed(SERVICES):
            started[service].send_signal(signal.SIGTERM)
            assert started[service].wait(30) == 0, service


@contextlib.contextmanager
def unit_running(service: str, port: int, environment: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The command of the unit, in this checkout and on this port."""
    Path(environment["PORTAL_VAR"]).mkdir()
    command = [sys.executable, *command_of(UNITS[service])]
    if "--port" in command:
        command[command.index("--port") + 1] = str(port)
    process = subprocess.Popen([*command, "--cold"], cwd=settings.BASE_DIR, env=dict(environment))
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


@contextlib.contextmanager
def proxy_running(nginx: str, folder: Path, port: int, proxy_port: int) -> Iterator[None]:
    """nginx with the sample, on ports and a certificate of the test, after `nginx -t`."""
    folder.mkdir()
    certificate(folder)
    sample = (FOLDER / "nginx.conf").read_text()
    sample = sample.replace("server 127.0.0.1:8000;", f"server 127.0.0.1:{port};").replace(
        "/etc/portal/tls", str(folder)
    )
    sample = re.sub(r"^ *listen \[::\]:.*\n", "", sample, flags=re.MULTILINE)
    sample = sample.replace("listen 443 ssl", f"listen 127.0.0.1:{proxy_port} ssl")
    sample = sample.replace("listen 80", f"listen 127.0.0.1:{free_port()}")
    places = "".join(
        f"{name}_temp_path {folder}/{name};" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log stderr;\nevents {{}}\nhttp {{ access_log off; {places}\n{sample}}}\n"
    )
    command = [nginx, "-c", str(folder / "nginx.conf"), "-p", str(folder)]
    subprocess.run([*command, "-t"], check=True)
    process = subprocess.Popen(command)
    try:
        yield
    finally:
        process.terminate()
        process.wait(30)


def command_of(unit: Path) -> list[str]:
    """What the unit starts, without the Python program."""
    reader = configparser.ConfigParser(interpolation=None, strict=False)
    reader.optionxform = str  # type: ignore[assignment,method-assign]  # upper case is kept
    reader.read_string(unit.read_text())
    program, *command = shlex.split(reader["Service"]["ExecStart"])
    assert program == f"{INSTALLED}/.venv/bin/python"
    return command


def parsed(options: list[str]) -> object:
    """The options as `manage.py serve` reads them."""
    return Command().create_parser("manage.py", "serve").parse_args(options[options.index("--only") :])


def certificate(folder: Path) -> None:
    """A certificate of the test's own for the proxy."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "rules.example.test")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    (folder / "fullchain.pem").write_bytes(made.public_bytes(Encoding.PEM))
    (folder / "privkey.pem").write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
