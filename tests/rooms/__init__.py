"""Tests of `rooms/`."""
