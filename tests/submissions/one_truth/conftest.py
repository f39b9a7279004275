"""The API as a program calls it: a Redis that counts its requests, and caches of its own."""

from tests.submissions.api.conftest import _nothing_counted_nor_cached, counts  # noqa: F401
