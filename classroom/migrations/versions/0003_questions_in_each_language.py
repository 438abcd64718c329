"""Questions of the quiz by name and values, and answers that a teacher hides."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("task", sa.Column("posed", sa.Text, nullable=False, server_default=""))
    op.add_column("answer", sa.Column("hidden", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("answer", "hidden")
    op.drop_column("task", "posed")
