"""For who runs the server: how busy it is, as a page and as Prometheus metrics, both behind one token."""
