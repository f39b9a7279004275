"""Who is there: a regulator, two casinos, and their people, named by what they do."""

from django.conf import settings
from django.db import transaction

from submissions.accounts.members import too_few_administrators
from submissions.models import Organization, Person, Role

LICENSEE, REGULATOR = Organization.Kind.LICENSEE, Organization.Kind.REGULATOR
ORGANIZATIONS = (
    (REGULATOR, "board", "Demo Gaming Control Board"),
    (LICENSEE, "east", "Demo Casino East"),
    (LICENSEE, "west", "Demo Casino West"),
)
PEOPLE = {
    LICENSEE: (
        ("preparer", "Preparer", Role.PREPARER),
        ("manager", "Manager", Role.MANAGER),
        ("reader", "Reader", Role.READER),
    ),
    REGULATOR: (
        ("analyst", "Analyst", Role.ANALYST),
        ("director", "Director", Role.DIRECTOR),
        ("second-director", "Second Director", Role.DIRECTOR),
    ),
}
ADMINISTRATORS = ("manager", "preparer", "director", "second-director")  # two in each organization


def create() -> list[Person]:
    """The cast, made where it is missing; everyone with the demo's passphrase, on every machine the same."""
    with transaction.atomic():
        for kind, slug, name in ORGANIZATIONS:
            organization, _ = Organization.objects.get_or_create(slug=slug, defaults={"kind": kind, "name": name})
            for word, title, role in PEOPLE[kind]:
                _person(f"{word}@{slug}.example.test", title, role, organization)
    return list(Person.objects.filter(organization__slug__in=[slug for _, slug, _ in ORGANIZATIONS]).order_by("pk"))


def person(word: str, slug: str) -> Person:
    return Person.objects.get(email=f"{word}@{slug}.example.test")


def _person(email: str, title: str, role: Role, organization: Organization) -> None:
    administrator = email.split("@")[0] in ADMINISTRATORS
    if not Person.objects.filter(email=email).exists():
        place = "" if organization.kind == REGULATOR else f" {organization.name.split()[-1]}"
        name = f"Demo {title}{place}"  # beside the role: “Demo Manager East, Table Games Manager”
        place_there = {"organization": organization, "role": role, "administrator": administrator}
        Person.objects.create_user(email, settings.DEMO_PASSPHRASE, name=name, **place_there)
    elif administrator and too_few_administrators(organization):  # a demo that began without any
        Person.objects.filter(email=email).update(administrator=True)
