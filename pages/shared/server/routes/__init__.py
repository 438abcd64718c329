"""Addresses of this server beside the pages, which `app.py` lists."""
