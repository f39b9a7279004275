"""Django's view of this package: at start, notices, webhooks and the trial of new versions subscribe to events."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "submissions"

    def ready(self) -> None:
        # Models can be imported only once Django has set up the applications.
        from submissions.audit.record import subscribe
        from submissions.filings.review import assignments
        from submissions.notifications import notices, webhooks
        from submissions.operations import alerts
        from submissions.rulemakings import refiling

        subscribe(
            notices.notify_people,
            notices.notify_about_order,
            notices.notify_licensees,
            notices.notify_assignee,
            notices.notify_about_tables,
        )
        subscribe(webhooks.notify_webhooks, only_if=webhooks.has_webhooks)
        subscribe(
            alerts.notify_administrators,
            refiling.try_new_version,
            assignments.release_work,  # last: it records events of its own
        )
