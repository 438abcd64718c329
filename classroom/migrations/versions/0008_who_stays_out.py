"""Who was removed from a class stays so in another one, and answers to a closed test that are nobody's any more."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_HERE = sa.text("NOT removed")


def upgrade() -> None:
    with op.batch_alter_table("member") as table:
        table.drop_constraint("uq_member_key", type_="unique")
        table.create_index("ix_member_key", ["key"], unique=True, sqlite_where=_HERE, postgresql_where=_HERE)
    with op.batch_alter_table("participant") as table:
        table.alter_column("member_id", existing_type=sa.Integer(), nullable=True)


def downgrade() -> None:
    op.execute("DELETE FROM participant WHERE member_id IS NULL")
    with op.batch_alter_table("participant") as table:
        table.alter_column("member_id", existing_type=sa.Integer(), nullable=False)
    op.drop_index("ix_member_key", "member")
    op.execute("DELETE FROM member WHERE id NOT IN (SELECT max(id) FROM member GROUP BY key)")
    with op.batch_alter_table("member") as table:
        table.create_unique_constraint("uq_member_key", ["key"])
