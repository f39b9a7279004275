"""How long the portal stores what is not evidence: one row for each kind, with the reason.

Never deleted: submissions, filings, decisions, events, checkpoints, signed documents, attachments,
simulations with their blocks, orders, people. Not here: deleting (`purge`, and the module that each row names).
"""

from dataclasses import dataclass

from django.conf import settings


@dataclass(frozen=True, slots=True)
class RetentionRule:
    """`days` are counted from the `moment`; `setting` is "" where the time is fixed."""

    what: str
    moment: str
    days: int
    setting: str
    why: str
    module: str


def retention_rules() -> tuple[RetentionRule, ...]:
    return (
        RetentionRule(
            "sessions", "their end", 0, "", "they identify a browser and serve nothing afterwards", "retention.purge"
        ),
        RetentionRule(
            "notices", "they were read", settings.NOTICE_DAYS, "PORTAL_NOTICE_DAYS",
            "the history has the event that each is about", "retention.purge",
        ),
        RetentionRule(
            "mails", "they were sent", settings.MAIL_DAYS, "PORTAL_MAIL_DAYS",
            "the recipient has the message, the history its events", "retention.purge",
        ),
        RetentionRule(
            "jobs of mails", "their end", settings.MAIL_DAYS, "PORTAL_MAIL_DAYS",
            "deleted with the mail; jobs of filings and documents stay, because pages show them", "retention.purge",
        ),
        RetentionRule(
            "deliveries of webhooks", "their end", 90, "", "for replaying them", "notifications.webhook_delivery"
        ),
        RetentionRule(
            "idempotency keys with their answers", "the call", 7, "", "for repeating a call", "jobs.idempotency"
        ),
        RetentionRule(
            "used assertions of clients", "they expire", 0, "", "an assertion gets one access token", "api.oauth"
        ),
        RetentionRule(
            "replayed rounds and drafts (PDF)", "they were made", 1, "", "they can be made again",
            "evidence.computations",
        ),
        RetentionRule(
            "results of files that the public sent", "they were verified", 1, "",
            "the file itself is deleted with its result", "verification.verification_queue",
        ),
        RetentionRule(
            "security log", "the day is sealed", settings.SECURITY_LOG_DAYS, "PORTAL_SECURITY_LOG_DAYS",
            "its seals stay in the history", "security_log.daily_seals",
        ),
    )  # fmt: skip
