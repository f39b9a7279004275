"""Settings, addresses, processes and sign-in: how the portal is run. Not what it is about."""

from portal.celery import app as celery_app  # loaded with Django, so that `shared_task` and `current_app` use it

__all__ = ("celery_app",)
