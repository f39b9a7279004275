"""Django's view of this package: at start, notices and webhooks subscribe to the history's events."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "submissions"

    def ready(self) -> None:
        # Models can be imported only once Django has set up the applications.
        from submissions.audit.record import subscribe
        from submissions.notifications import notices, order_notices, rulemaking_notices, webhook_events

        subscribe(
            notices.notify_people,
            order_notices.notify_about_order,
            rulemaking_notices.notify_licensees,
            webhook_events.notify_webhooks,
        )
