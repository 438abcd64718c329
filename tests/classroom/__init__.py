"""Tests of `classroom/`."""
