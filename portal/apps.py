"""Django's view of this package: at start the Celery application and the start-up checks are loaded."""

from django.apps import AppConfig


class PortalConfig(AppConfig):
    name = "portal"

    def ready(self) -> None:
        from portal import accounts, celery, checks  # noqa: F401  each registers itself
