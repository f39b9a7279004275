"""Django's view of this package: at start, notices, webhooks and the trial of new versions receive recorded events."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "submissions"

    def ready(self) -> None:
        # Models can be imported only once Django has set up the applications.
        from submissions.audit.record import events_recorded
        from submissions.filings.review import assignments
        from submissions.notifications import notices, webhooks
        from submissions.operations import alerts
        from submissions.rulemakings import refiling

        for receiver in (
            notices.create_notices,
            webhooks.create_deliveries,
            alerts.notify_administrators,
            refiling.try_new_versions,
            assignments.release_work,  # last: it records events of its own
        ):
            events_recorded.connect(receiver)
