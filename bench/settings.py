"""The portal's settings with the plain views that pages and reads are measured beside.

Requests are counted as in service, but none is refused: all people of a measurement share an address.
"""

from portal.settings import *  # noqa: F403

ROOT_URLCONF = "bench.plain_views"
REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] |= {"credential": "1000000/minute"}  # noqa: F405
