"""Addresses of pages that are not Streamlit's."""

ADMIN = "/admin"
