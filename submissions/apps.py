"""Django's view of this package: at start, notices, webhooks and the trial of new versions subscribe to events."""

from django.apps import AppConfig


class SubmissionsConfig(AppConfig):
    name = "submissions"

    def ready(self) -> None:
        # Models can be imported only once Django has set up the applications.
        from submissions.audit.record import subscribe
        from submissions.notifications import (
            assignment_notices,
            notices,
            order_notices,
            rulemaking_notices,
            table_notices,
            webhook_events,
        )
        from submissions.operations import alert_notices
        from submissions.review import assignments
        from submissions.rulemakings import approved_versions

        subscribe(
            notices.notify_people,
            order_notices.notify_about_order,
            rulemaking_notices.notify_licensees,
            assignment_notices.notify_assignee,
            table_notices.notify_about_tables,
        )
        subscribe(webhook_events.notify_webhooks, only_if=webhook_events.has_webhooks)
        subscribe(
            alert_notices.notify_administrators,
            approved_versions.try_new_version,
            assignments.release_work,  # last: it records events of its own
        )
