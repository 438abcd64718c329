"""The last training that a student ran on their own device, with its curve."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None
_MEMBER = sa.ForeignKey("member.id", name="fk_training_member_id", ondelete="CASCADE")


def upgrade() -> None:
    op.create_table(
        "training",
        sa.Column("member_id", sa.Integer, _MEMBER, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("curve", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("member_id", name="pk_training"),
    )


def downgrade() -> None:
    op.drop_table("training")
