"""Several processes of the app behind one address, for a class: `make class`."""
