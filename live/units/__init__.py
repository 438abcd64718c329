"""Units for learning platforms: the course and the quiz as packages that tell a platform who finished."""
