"""Components of a class in the browser: the teacher's board, the line of a class, the line of a lesson."""
