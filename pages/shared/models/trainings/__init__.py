"""Training runs: the queue of this server, and a user's runs."""
