"""The page /class: start or join a class, and the teacher's board."""
