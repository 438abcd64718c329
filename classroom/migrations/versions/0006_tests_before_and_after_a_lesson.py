"""The test before and after a lesson: how a class runs it, who takes part, and their answers."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def _of(table: str, other: str, kind: sa.types.TypeEngine, index: bool = False) -> sa.Column:
    """The column that names a row of another table, and goes with it."""
    key = sa.ForeignKey(f"{other}.id", name=f"fk_{table}_{other}_id", ondelete="CASCADE")
    return sa.Column(f"{other}_id", kind, key, nullable=False, index=index or None)


def upgrade() -> None:
    for name in ("test_kind", "test_phase"):
        op.add_column("room", sa.Column(name, sa.String(10), nullable=False, server_default=""))
    op.create_table(
        "participant",
        sa.Column("id", sa.String(12), nullable=False),
        _of("participant", "room", sa.Integer(), index=True),
        _of("participant", "member", sa.Integer()),
        sa.Column("group", sa.String(10), nullable=False),
        sa.Column("first_form", sa.String(1), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_participant"),
        sa.UniqueConstraint("member_id", name="uq_participant_member_id"),
    )
    op.create_table(
        "reply",
        _of("reply", "participant", sa.String(12)),
        sa.Column("phase", sa.String(10), nullable=False),
        sa.Column("question", sa.String(40), nullable=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("participant_id", "phase", "question", name="pk_reply"),
    )


def downgrade() -> None:
    for table in ("reply", "participant"):
        op.drop_table(table)
    for name in ("test_phase", "test_kind"):
        op.drop_column("room", name)
