"""Tests of `hosting/`."""
