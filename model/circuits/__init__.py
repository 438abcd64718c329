"""What the heads of a model do: the roles that measurements support, and what removing a part does on average."""
