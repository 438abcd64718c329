"""How much a class may hold, so that nobody fills the server."""

CLASSROOMS = 200  # at a time
MEMBERS = 600  # of a class
DEPARTED = 600  # who have left a class and are remembered
SENTENCES = 3_000  # of a class
TASKS = 100
POINTS = 100  # of the curve of a training
STEPS = 1_000_000  # of a training
TITLE = 60  # characters
NICKNAME = 24
QUESTION = 600
OPTIONS = 6
WORDS = 24  # of a sentence, from which a prediction is chosen
OPTION = 200
ANSWER = 200
VIEW = 3_000
MINUTES = 180  # of a countdown, and of a part of a lesson
DAY = 24 * 3600  # seconds after which a class is deleted
AFTER_END = 3600  # seconds for which the results of a class that has ended are kept
PRESENT = 25  # seconds since a browser was last heard of
NEVER_HEARD = 10  # seconds in which a browser asks for the class that it joined or started: else it is a program
DESERTED = 120  # seconds without its teacher after which a class that nobody has joined makes room for another one
FORSAKEN = 3600  # seconds without anybody after which any class does
