"""A database that does not answer for a while: writes are kept for it, and reads are not waited for."""
