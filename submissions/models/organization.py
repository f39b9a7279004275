"""Organizations, their people with their saved searches, and the people they invited.

A person row belongs to one organization and has one role there; without an organization nobody sees anything. Someone
who acts for several licensees of one company has a row at each: the account, which signs in, and memberships, which
refer to it.
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
        """Whether it is not a sandbox."""
        return self.sandbox_of_id is None

    def is_of_same_company(self, organization: "Organization") -> bool:
        """Whether people of one may act for the other: both are licensees, and the Board named one company for them."""
        licensees = {self.kind, organization.kind} == {Organization.Kind.LICENSEE}
        return licensees and self.is_live and organization.is_live and self.company == organization.company != ""


class Role(models.TextChoices):
    PREPARER = "preparer", "Preparer"
    MANAGER = "table_games_manager", "Table Games Manager"
    READER = "reader", "Read-only"
    ANALYST = "analyst", "Analyst"
    DIRECTOR = "director", "Director"


class MailPreference(models.TextChoices):
    """When a person gets notices by e-mail; the page always shows them."""

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
        """The row that signs in: itself, or the account of a membership."""
        return self.account or self

    @property
    def account_key(self) -> int:
        """The primary key of that row, without a query."""
        return self.account_id or self.pk

    @property
    def address(self) -> str:
        """The e-mail address that reaches the person."""
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
