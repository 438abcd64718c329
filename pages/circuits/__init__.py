"""What the heads of a model do, and what removing a part of it does on average."""
