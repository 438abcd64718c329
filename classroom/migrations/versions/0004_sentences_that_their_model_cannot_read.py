"""Why a model cannot read a sentence that a student typed."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sentence", sa.Column("misfit", sa.Text, nullable=False, server_default=""))


def downgrade() -> None:
    op.drop_column("sentence", "misfit")
