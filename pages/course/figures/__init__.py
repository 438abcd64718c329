"""The figures of the ten steps, one module each: `figure` draws it and gives the question of the step."""
