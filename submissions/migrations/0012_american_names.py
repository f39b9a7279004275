"""American spelling and searchable names in the models. Tables and columns keep their names: nothing is altered."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

OPTIONAL = {"null": True, "blank": True}
ORGANIZATIONS = (  # model, the other arguments of its foreign key to the organization
    ("batch", {"related_name": "batches"}),
    ("credential", {"related_name": "credentials"}),
    ("event", {"related_name": "+", "null": True}),
    ("invitation", {"related_name": "invitations"}),
    ("person", {"related_name": "people", **OPTIONAL}),
    ("submission", {"related_name": "submissions"}),
    ("version", {"related_name": "versions"}),
    ("webhook", {"related_name": "webhooks"}),
)
SERVICE_ACCOUNTS = (("credential", {"related_name": "credentials"}), ("keyedcall", {"related_name": "+"}))


def renamed(model, old, new, target, arguments):
    """The column is named first, so that the new name of the field changes nothing in the database."""
    field = models.ForeignKey(
        db_column=f"{old}_id", on_delete=django.db.models.deletion.PROTECT, to=target, **arguments
    )
    return [migrations.AlterField(model, old, field), migrations.RenameField(model, old, new)]


class Migration(migrations.Migration):
    dependencies = [
        ("submissions", "0011_webhooks_rest"),
    ]

    operations = [
        migrations.AlterModelTable("organisation", "submissions_organisation"),
        migrations.RenameModel("Organisation", "Organization"),
        migrations.AlterModelTable("answered", "submissions_answered"),
        migrations.RenameModel("Answered", "IndexedAnswer"),
        *(
            operation
            for model, arguments in ORGANIZATIONS
            for operation in renamed(model, "organisation", "organization", "submissions.organization", arguments)
        ),
        *(
            operation
            for model, arguments in SERVICE_ACCOUNTS
            for operation in renamed(model, "seat", "service_account", settings.AUTH_USER_MODEL, arguments)
        ),
        # The index and the constraint are on the same columns as before: only their fields have other names.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveIndex("version", "version_in_force"),
                migrations.AddIndex(
                    "version",
                    models.Index(fields=["organization", "chapter", "from_day"], name="version_in_force"),
                ),
                migrations.RemoveConstraint("keyedcall", "one_call_per_key"),
                migrations.AddConstraint(
                    "keyedcall",
                    models.UniqueConstraint(fields=("service_account", "key"), name="one_call_per_key"),
                ),
            ]
        ),
    ]
