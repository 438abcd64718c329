"""The table of the processes of a server."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "process",
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("noted", sa.Float, nullable=False),
        sa.Column("report", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_process"),
    )


def downgrade() -> None:
    op.drop_table("process")
