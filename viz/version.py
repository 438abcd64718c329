"""The version of the project, of its package and of what it exports."""

VERSION = "1.0.0"
