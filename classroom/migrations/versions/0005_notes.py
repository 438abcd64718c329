"""The table of users' notes."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "note",
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("noted", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("owner", "name", name="pk_note"),
    )


def downgrade() -> None:
    op.drop_table("note")
