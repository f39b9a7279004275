"""The portal's settings with one address more: the plain view that the reads are measured beside."""

from portal.settings import *  # noqa: F403

ROOT_URLCONF = "bench.api.peer"
ALLOWED_HOSTS = ["127.0.0.1"]
