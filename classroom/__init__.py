"""Classes: who teaches, who is in it, what they typed and answered. Kept in a database for a day at most."""
