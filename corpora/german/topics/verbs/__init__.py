"""Topics of verbs that need a form of their own: modal, reflexive, with a dative."""
