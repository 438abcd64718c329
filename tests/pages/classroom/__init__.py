"""Tests of the page /class and of what it adds to other pages."""
