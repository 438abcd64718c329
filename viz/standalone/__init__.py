"""Figures as HTML files that work by themselves: offline, without a server."""
