"""Live pages: static files in which a model runs in the reader's browser, without a server."""
