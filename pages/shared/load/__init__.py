"""Load by users on the server: whose turn it is, how much is fair, what was done and what failed."""
