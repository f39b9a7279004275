"""The portal's settings with the plain views that the reads are measured beside.

Requests are counted as in service, but none is refused: a server that falls behind catches up at more than the rate.
"""

from portal.settings import *  # noqa: F403

ROOT_URLCONF = "bench.plain_views"
ALLOWED_HOSTS = ["127.0.0.1"]
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] |= {"credential": "1000000/minute"}  # noqa: F405
