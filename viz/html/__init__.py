"""Tables drawn as HTML."""
