"""What the browser draws of a class: the teacher's board, the line of a class, the line of a lesson."""
