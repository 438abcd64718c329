"""Who was removed from a class, who has left it and may come back, and what a lesson says to its students."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("member", sa.Column("removed", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("room", sa.Column("locked", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("room", sa.Column("says", sa.Text, nullable=False, server_default=""))
    key = sa.ForeignKey("room.id", name="fk_departure_room_id", ondelete="CASCADE")
    op.create_table(
        "departure",
        sa.Column("room_id", sa.Integer, key, nullable=False),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("left", sa.Float, nullable=False),
        sa.Column("group", sa.String(10), nullable=False),
        sa.Column("first_form", sa.String(1), nullable=False),
        sa.PrimaryKeyConstraint("room_id", "key", name="pk_departure"),
    )


def downgrade() -> None:
    op.drop_table("departure")
    for name in ("says", "locked"):
        op.drop_column("room", name)
    op.drop_column("member", "removed")
