"""The tables of classes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def _of(table: str, other: str) -> sa.Column:
    """The column that names a row of another table, and goes with it."""
    key = sa.ForeignKey(f"{other}.id", name=f"fk_{table}_{other}_id", ondelete="CASCADE")
    return sa.Column(f"{other}_id", sa.Integer, key, nullable=False, index=True)


def upgrade() -> None:
    op.create_table(
        "room",
        sa.Column("id", sa.Integer, nullable=False),
        sa.Column("code", sa.String(8), nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("ended", sa.Float),
        sa.Column("view", sa.Text, nullable=False),
        sa.Column("shown", sa.Integer, nullable=False),
        sa.Column("until", sa.Float),
        sa.Column("choice", sa.Text, nullable=False),
        sa.Column("changed", sa.Integer, nullable=False),
        sa.Column("noted", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_room"),
        sa.UniqueConstraint("code", name="uq_room_code"),
    )
    op.create_table(
        "member",
        sa.Column("id", sa.Integer, nullable=False),
        _of("member", "room"),
        sa.Column("key", sa.String(64), nullable=False),
        sa.Column("teacher", sa.Boolean, nullable=False),
        sa.Column("nickname", sa.String(40), nullable=False),
        sa.Column("joined", sa.Float, nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_member"),
        sa.UniqueConstraint("key", name="uq_member_key"),
    )
    op.create_table(
        "sentence",
        sa.Column("id", sa.Integer, nullable=False),
        _of("sentence", "room"),
        _of("sentence", "member"),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("checkpoint", sa.String(80), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("output", sa.Text, nullable=False),
        sa.Column("picture", sa.Text, nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sentence"),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.Integer, nullable=False),
        _of("task", "room"),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("opened", sa.Float, nullable=False),
        sa.Column("closed", sa.Float),
        sa.PrimaryKeyConstraint("id", name="pk_task"),
    )
    op.create_table(
        "answer",
        sa.Column("id", sa.Integer, nullable=False),
        _of("answer", "task"),
        _of("answer", "member"),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("right", sa.Boolean),
        sa.PrimaryKeyConstraint("id", name="pk_answer"),
        sa.UniqueConstraint("task_id", "member_id", name="uq_answer_task_id"),
    )


def downgrade() -> None:
    for table in ("answer", "task", "sentence", "member", "room"):
        op.drop_table(table)
