"""Organisations and their people.

A person belongs to one organisation and has one role there; without an organisation nobody sees anything.
"""

from __future__ import annotations

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models


class Organisation(models.Model):
    """A licensee (a casino that holds a table games certificate) or the regulator (the Board)."""

    class Kind(models.TextChoices):
        LICENSEE = "licensee", "Licensee"
        REGULATOR = "regulator", "Gaming Control Board"

    kind = models.CharField(max_length=12, choices=Kind)
    name = models.CharField(max_length=120, unique=True)
    slug = models.SlugField(unique=True)
    sandbox_of = models.OneToOneField("self", models.PROTECT, null=True, related_name="sandbox")  # for its test systems
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name

    @property
    def is_live(self) -> bool:
        """Whether it is no sandbox."""
        return self.sandbox_of_id is None


class Role(models.TextChoices):
    PREPARER = "preparer", "Preparer"
    MANAGER = "table_games_manager", "Table Games Manager"
    READER = "reader", "Read-only"
    ANALYST = "analyst", "Analyst"
    DIRECTOR = "director", "Director"


class Mails(models.TextChoices):
    """What is mailed to a person: the notices themselves are always there to read."""

    EACH = "each", "Each decision at once, the rest once a day"
    DIGEST = "digest", "Everything together, once a day"
    NONE = "none", "Nothing"


ROLES_OF = {
    Organisation.Kind.LICENSEE: (Role.PREPARER, Role.MANAGER, Role.READER),
    Organisation.Kind.REGULATOR: (Role.ANALYST, Role.DIRECTOR, Role.READER),
}


class PersonManager(BaseUserManager["Person"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> Person:
        person = self.model(email=self.normalize_email(email), **fields)
        person.set_password(password)
        person.save()
        return person


class Person(AbstractBaseUser):
    """Someone who signs in, by e-mail address."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=120)
    organisation = models.ForeignKey(Organisation, models.PROTECT, null=True, blank=True, related_name="people")
    role = models.CharField(max_length=24, choices=Role, blank=True)
    administrator = models.BooleanField(default=False)  # invites and deactivates the people of the organisation
    mails = models.CharField(max_length=6, choices=Mails, default=Mails.EACH)
    is_active = models.BooleanField(default=True)
    is_system = models.BooleanField(default=False)  # the seat of a credential: a program's, nobody signs in with it
    joined_at = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects = PersonManager()

    def __str__(self) -> str:
        return self.name

    def get_full_name(self) -> str:
        return self.name

    @property
    def at_regulator(self) -> bool:
        return self.organisation is not None and self.organisation.kind == Organisation.Kind.REGULATOR

    @property
    def at_licensee(self) -> bool:
        return self.organisation is not None and self.organisation.kind == Organisation.Kind.LICENSEE
