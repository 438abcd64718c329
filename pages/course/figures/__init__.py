"""The figures of the eight steps, one module each: `figure` draws it and gives the question of the step."""
