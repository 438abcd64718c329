"""Who looks at what: the session's state and the address."""
