"""The page /glossary: all that only it needs."""
