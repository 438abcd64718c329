"""The topics of the grammar, with examples and their share of the corpus, from `lexicon/topics.txt`."""

from corpora.german.lexicon import FOLDER
from corpora.topic_sampling import read_topics

TOPICS = read_topics(FOLDER / "topics.txt", "corpora.german.topics")
