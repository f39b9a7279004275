"""The planned effective day of a submission, and the day whose rules a layout filing follows."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0025_properties")]
    operations = [
        migrations.AddField("submission", "takes_effect", models.DateField(null=True)),
        migrations.AddField("layoutfiling", "rules_on", models.DateField(null=True)),
    ]
