"""State of the session and the address: who looks at what."""
