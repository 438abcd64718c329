"""What keeps one client from taking the server from all others: as middleware, or in uvicorn."""
