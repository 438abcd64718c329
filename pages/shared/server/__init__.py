"""The server around the pages: headers, cookie, routes. Used by app.py only."""
