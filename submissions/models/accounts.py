"""Organizations, their people and the people they invited; API keys; the security log.

A person row belongs to one organization and has one role there; without an organization nobody sees anything. Someone
who acts for several licensees of one company has a row at each: the account, which signs in, and memberships, which
refer to it. Of an API key only the digest of its secret is stored, or the public key of its client; the answers to its
calls with an Idempotency-Key are in `jobs.idempotency`. Rows of the security log are never changed, and deleted only
when they are old (`core.append_only`).
"""

from typing import Any

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models


class Organization(models.Model):
    """A licensee (a casino that holds a table games certificate) or the regulator (the Board)."""

    class Kind(models.TextChoices):
        LICENSEE = "licensee", "Licensee"
        REGULATOR = "regulator", "Gaming Control Board"

    kind = models.CharField(max_length=12, choices=Kind)
    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(unique=True)
    sandbox_of = models.OneToOneField("self", models.PROTECT, null=True, related_name="sandbox")  # for its test systems
    company = models.CharField(max_length=120, blank=True, default="")  # who owns it; "": shares its people with nobody
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "submissions_organisation"  # as the first migration named it

    def __str__(self) -> str:
        return self.name

    @property
    def is_live(self) -> bool:
        """Return whether it is not a sandbox."""
        return self.sandbox_of_id is None

    def is_of_same_company(self, organization: "Organization") -> bool:
        """Return whether people of one may act for the other: licensees for which the Board named one company."""
        licensees = {self.kind, organization.kind} == {Organization.Kind.LICENSEE}
        return licensees and self.is_live and organization.is_live and self.company == organization.company != ""


class Role(models.TextChoices):
    PREPARER = "preparer", "Preparer"
    MANAGER = "table_games_manager", "Table Games Manager"
    READER = "reader", "Read-only"
    ANALYST = "analyst", "Analyst"
    DIRECTOR = "director", "Director"


class MailPreference(models.TextChoices):
    """Preference when a person gets notices by e-mail; the page always shows them."""

    EACH = "each", "Each decision at once, the rest once a day"
    DIGEST = "digest", "Everything together, once a day"
    NONE = "none", "No e-mail"


ROLES_OF: dict[str, tuple[Role, ...]] = {
    Organization.Kind.LICENSEE: (Role.PREPARER, Role.MANAGER, Role.READER),
    Organization.Kind.REGULATOR: (Role.ANALYST, Role.DIRECTOR, Role.READER),
}


class PersonManager(BaseUserManager["Person"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "Person":
        person = self.model(email=self.normalize_email(email), **fields)
        person.set_password(password)
        person.save()
        return person


class Person(AbstractBaseUser):
    """Someone who signs in, by e-mail address: an account. Or a membership: what an account does at another property.

    A membership has its own role, administrator flag and access. It has no passphrase, and an address that no mail
    reaches; second factors, confirmations and mail are those of its `account`.
    """

    email = models.EmailField(unique=True)
    account = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="memberships")
    name = models.CharField(max_length=120)
    organization = models.ForeignKey(
        Organization, models.PROTECT, db_column="organisation_id", null=True, blank=True, related_name="people"
    )
    role = models.CharField(max_length=24, choices=Role, blank=True)
    administrator = models.BooleanField(default=False)  # invites and deactivates the people of the organization
    mails = models.CharField(max_length=6, choices=MailPreference, default=MailPreference.EACH)
    is_active = models.BooleanField(default=True)
    is_system = models.BooleanField(default=False)  # the service account of a credential: nobody signs in with it
    joined_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    objects = PersonManager()
    acting_rows: "tuple[Person, ...]"  # of the account that signed in: `accounts.sign_in`

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("account", "organization"),
                condition=models.Q(account__isnull=False),
                name="one_membership_per_property",
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def sign_in_account(self) -> "Person":
        """Return the row that signs in: itself, or the account of a membership."""
        return self.account or self

    @property
    def account_key(self) -> int:
        """Return the primary key of that row, without a query."""
        return self.account_id or self.pk

    @property
    def address(self) -> str:
        """Return the e-mail address that reaches the person."""
        return self.sign_in_account.email

    @property
    def at_regulator(self) -> bool:
        return self.organization is not None and self.organization.kind == Organization.Kind.REGULATOR

    @property
    def at_licensee(self) -> bool:
        return self.organization is not None and self.organization.kind == Organization.Kind.LICENSEE


class Invitation(models.Model):
    """Open until it is accepted, withdrawn or expires. Only the digest of the link's secret is stored."""

    organization = models.ForeignKey(
        Organization, models.PROTECT, db_column="organisation_id", related_name="invitations"
    )
    email = models.EmailField()
    name = models.CharField(max_length=120)
    role = models.CharField(max_length=24, choices=Role)
    administrator = models.BooleanField(default=False)
    secret_sha256 = models.CharField(max_length=64, unique=True)
    by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")  # null = the operator
    at = models.DateTimeField()
    expires_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True)
    accepted_by = models.OneToOneField(Person, models.PROTECT, null=True, related_name="invitation")

    class Meta:
        ordering = ("-pk",)


class SavedFilter(models.Model):
    """A view that a person saved under a name: a search, or a filter of the queue, as its cleaned query string."""

    class Page(models.TextChoices):
        SEARCH = "search", "Search"
        QUEUE = "queue", "Queue"

    page = models.CharField(max_length=8, choices=Page, default=Page.SEARCH)
    person = models.ForeignKey(Person, models.CASCADE, related_name="filters")
    name = models.CharField(max_length=80)
    query = models.TextField()

    class Meta:
        ordering = ("name",)
        constraints = (models.UniqueConstraint(fields=("person", "name"), name="one_filter_per_name"),)


class Scope(models.TextChoices):
    READ = "read", "Read"
    PREPARE = "prepare", "Prepare"
    FILE = "file", "File"
    REVIEW = "review", "Review"


SCOPES_OF: dict[str, tuple[Scope, ...]] = {
    Organization.Kind.LICENSEE: (Scope.READ, Scope.PREPARE, Scope.FILE),
    Organization.Kind.REGULATOR: (Scope.READ, Scope.REVIEW),
}


class Credential(models.Model):
    """Good from `made_at` to `expires_at`, unless revoked; once replaced by another one, until `overlap_until`."""

    organization = models.ForeignKey(
        Organization, models.PROTECT, db_column="organisation_id", related_name="credentials"
    )
    name = models.CharField(max_length=80)
    scopes = models.JSONField(default=list)  # of `Scope`, in its order
    live = models.BooleanField()  # a test credential reaches the organization's sandbox, and nothing live
    prefix = models.CharField(max_length=12, unique=True)  # its name in lists and in the history
    secret_sha256 = models.CharField(max_length=64)  # "" for a client with a public key
    public_key = models.JSONField(null=True)  # JWK (RFC 7517) that verifies the client's assertions
    networks = models.JSONField(default=list)  # CIDR; empty = from everywhere
    # The actor of its calls.
    service_account = models.ForeignKey(Person, models.PROTECT, db_column="seat_id", related_name="credentials")
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")  # who made it
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)  # to the minute
    replaced_by = models.OneToOneField("self", models.PROTECT, null=True, related_name="replaces")
    overlap_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.name} ({self.key_id})"

    @property
    def key_id(self) -> str:
        """Return the part that may be displayed: "rsp_live_3f9a02c417de"."""
        return f"rsp_{'live' if self.live else 'test'}_{self.prefix}"


class UsedAssertion(models.Model):
    """An assertion that got an access token: it is good once (RFC 7523, section 3). Deleted when it has expired."""

    credential = models.ForeignKey(Credential, models.CASCADE, related_name="+")
    jti_sha256 = models.CharField(max_length=64)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("credential", "jti_sha256"), name="one_use_per_assertion"),)


class KeyedCall(models.Model):
    """A call with an Idempotency-Key: sent again, it gets the same answer. Or a form that may be sent only once.

    In progress from `begun_at` until it is answered; the answer is stored in the transaction of its effect.
    """

    service_account = models.ForeignKey(Person, models.PROTECT, db_column="seat_id", related_name="+")
    key = models.CharField(max_length=255)
    request_sha256 = models.CharField(max_length=64)  # of method, address and body
    holder = models.CharField(max_length=32)  # token of the process that answers it; replaced when that process died
    begun_at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    answer = models.TextField(blank=True)  # the body, encrypted
    headers = models.JSONField(default=dict)  # those that belong to the answer: Location
    answered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("service_account", "key"), name="one_call_per_key"),)
        indexes = (models.Index(fields=("begun_at",), name="keyed_calls_by_age"),)


class AccessRecord(models.Model):
    """One line of the security log (NIST SP 800-53 AU-3): what, when, where, source, outcome, identity."""

    class Kind(models.TextChoices):
        SIGN_IN = "sign-in", "Signed in"
        SIGN_IN_FAILED = "sign-in-failed", "Sign-in failed"
        SIGN_OUT = "sign-out", "Signed out"
        SESSION_ENDED = "session-ended", "Session ended"
        FACTOR_ADDED = "factor-added", "Second factor added"
        FACTOR_REMOVED = "factor-removed", "Second factor removed"
        PASSPHRASE_CHANGED = "passphrase-changed", "Passphrase changed"
        RESET_REQUESTED = "passphrase-reset-requested", "Passphrase reset requested"
        PASSPHRASE_RESET = "passphrase-reset", "Passphrase reset"
        CODES_SHOWN = "recovery-codes-shown", "Recovery codes shown"
        CODES_MADE = "recovery-codes-made", "Recovery codes made"
        CODE_USED = "recovery-code-used", "Recovery code used"
        CONFIRMED = "confirmed", "Identity confirmed"
        CONFIRMATION_FAILED = "confirmation-failed", "Confirmation failed"
        KEY_REFUSED = "key-refused", "API key refused"
        ACCESS_DENIED = "access-denied", "Access denied"
        EXPORT = "export", "Export"
        DOWNLOAD = "download", "Download"

    class Outcome(models.TextChoices):
        SUCCESS = "success", "Success"
        FAILURE = "failure", "Failure"

    reference = models.CharField(max_length=32, unique=True)  # random: no row can be copied
    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=32, choices=Kind)
    outcome = models.CharField(max_length=8, choices=Outcome)
    reason = models.CharField(max_length=60, blank=True)  # of a failure: a code
    count = models.PositiveBigIntegerField(default=1)  # of one row for many failures
    person = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    organization = models.ForeignKey(Organization, models.PROTECT, null=True, related_name="+")
    credential = models.CharField(max_length=24, blank=True)  # the part of an API key that may be displayed
    account_digest = models.CharField(max_length=64, blank=True)  # of the account entered, by a key
    account_masked = models.CharField(max_length=260, blank=True)
    address = models.CharField(max_length=64, blank=True)  # the caller's network address
    address_order = models.CharField(max_length=32, blank=True)  # as IPv6 in hexadecimal: networks are ranges of it
    agent = models.CharField(max_length=200, blank=True)  # what the browser or program calls itself
    session = models.CharField(max_length=64, blank=True)  # digest of its key
    request_id = models.CharField(max_length=64, blank=True)
    object_reference = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)  # text and whole numbers
    mac = models.CharField(max_length=64)  # of the row, by a key that is not in the database

    class Meta:
        ordering = ("-pk",)
        indexes = (
            models.Index(fields=("organization", "id"), name="access_of_organization"),
            models.Index(fields=("person", "id"), name="access_of_person"),
        )


class FailureCount(models.Model):
    """The number of failures of a kind in one minute, from one address or from all: a flood becomes one row."""

    key = models.CharField(max_length=130, unique=True)  # kind, minute and address
    kind = models.CharField(max_length=32, choices=AccessRecord.Kind)
    address = models.CharField(max_length=64, blank=True)  # "" for all together
    minute = models.DateTimeField(db_index=True)
    count = models.PositiveBigIntegerField(default=0)
    unrecorded = models.PositiveBigIntegerField(default=0)  # without a row of their own
