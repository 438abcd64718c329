"""How sure somebody is who answers a question that asks for a prediction."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("answer", sa.Column("sure", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("answer", "sure")
