"""Names of the glossary in the model of a batch. Its columns keep their names: nothing is altered."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0013_computations")]

    operations = [
        operation
        for old, new in (("together", "atomic"), ("asks", "needs_confirmation"))
        for operation in (
            migrations.AlterField("batch", old, models.BooleanField(db_column=old)),
            migrations.RenameField("batch", old, new),
        )
    ]
