"""American spelling in the model of a layout's judgments. Its table keeps its name: nothing is altered."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0014_batch_names")]

    operations = [
        migrations.AlterModelTable("layoutjudgement", "submissions_layoutjudgement"),
        migrations.RenameModel("LayoutJudgement", "LayoutJudgment"),
        migrations.AlterField(
            "layoutjudgment",
            "layout_revision",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="judgments",
                to="submissions.layoutrevision",
            ),
        ),
    ]
