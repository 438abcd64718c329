"""The German grammar: laws of agreement and word order, golden forms, and one translation per sentence."""

import hashlib
import random
import re

import pytest

from corpora import german, topic_sampling
from corpora.german.conjugation import by_name, imperative, present
from corpora.german.declension import noun_phrase
from corpora.german.english import clause, ing, third
from corpora.german.lexicon import NOUN, TIMES, VERB, Phrase
from corpora.german.numbers import number
from corpora.german.topics.fixed import WORD_LIST

MANY = 60_000
TOPIC = {topic.key: topic for topic in german.TOPICS}
TEXTBOOK = (
    "Wir gehen heute ins Kino.",
    "Wo ist das Buch?",
    "Ich komme heute nicht.",
    "Der Mann liest ein Buch.",
    "Am Montag habe ich Deutschkurs.",
    "Ich möchte einen Kaffee, bitte.",
    "Sie steht um sieben Uhr auf.",
    "Kannst du mir helfen?",
)


@pytest.fixture(scope="module")
def pairs():
    return german.generate(1, MANY)


@pytest.fixture(scope="module")
def targets(pairs):
    """Every target seen for a source, drawn from all topics and from two corpora."""
    rng, result = random.Random(2), {}
    sample = [topic.generator(rng) for topic in german.TOPICS for _ in range(800)]
    for pair in (*sample, *pairs, *german.generate(3, 20_000)):
        result.setdefault(pair.source, set()).add(pair.target)
    return result


def test_same_seed_same_pairs():
    first, again, other = (topic_sampling.generate(german.TOPICS, seed, 500) for seed in (7, 7, 8))
    assert first == again == german.generate(7, 1000)[:500] != other


def test_the_sentences_stay_what_they_are():
    """The sample checkpoint was trained on these: a change of the grammar means training it again."""
    lines = "\n".join("\t".join(pair) for pair in german.generate(0, 2000))
    assert hashlib.sha256(lines.encode()).hexdigest().startswith("73157bb954bc2c88")


@pytest.mark.thorough
def test_pairs_are_distinct(pairs):
    assert len(pairs) == len({pair.source for pair in pairs}) == MANY


@pytest.mark.thorough
def test_every_source_has_one_target(targets):
    assert not {source: each for source, each in targets.items() if len(each) > 1}


def test_vocabulary_is_large_enough():
    assert len(german.word_forms()) >= 1500


def test_the_textbook_sentences_come_out(pairs):
    assert set(TEXTBOOK) <= {pair.source for pair in pairs}


@pytest.mark.sample(4)
@pytest.mark.parametrize("topic", german.TOPICS, ids=lambda topic: topic.key)
def test_examples_are_generated(topic):
    rng, missing = random.Random(0), set(topic.examples)
    assert 2 <= len(topic.examples) <= 3
    assert re.fullmatch("[a-z_]+", topic.key)
    for _ in range(40_000):
        missing.discard(topic.generator(rng).source)
        if not missing:
            break
    assert not missing


def test_spelling_and_punctuation(pairs):
    entries = {entry.source for entry in WORD_LIST}
    for german_text, english in pairs:
        assert "  " not in german_text + english
        assert german_text == german_text.strip()
        if german_text in entries:
            continue
        assert german_text[0].isupper()
        assert english[0].isupper()
        assert german_text[-1] in ".?!"
        assert english[-1] in ".?!"
        assert not re.search(r" [.,?!]|\bi\b|\bNone\b", german_text + english)


MALE, FEMALE, NEUTER = NOUN["Mann"], NOUN["Stadt"], NOUN["Haus"]
OLD = Phrase("alt", "old")


@pytest.mark.parametrize(
    ("noun", "kind", "case", "plural", "expected"),
    [
        (MALE, "der", "nom", False, "der alte Mann"),
        (MALE, "der", "acc", False, "den alten Mann"),
        (MALE, "der", "dat", False, "dem alten Mann"),
        (MALE, "der", "dat", True, "den alten Männern"),
        (MALE, "ein", "nom", False, "ein alter Mann"),
        (MALE, "ein", "acc", False, "einen alten Mann"),
        (MALE, "ein", "dat", False, "einem alten Mann"),
        (MALE, "ein", "nom", True, "alte Männer"),
        (MALE, "kein", "nom", True, "keine alten Männer"),
        (FEMALE, "der", "nom", False, "die alte Stadt"),
        (FEMALE, "der", "dat", False, "der alten Stadt"),
        (FEMALE, "ein", "acc", False, "eine alte Stadt"),
        (FEMALE, "mein", "dat", False, "meiner alten Stadt"),
        (NEUTER, "der", "acc", False, "das alte Haus"),
        (NEUTER, "ein", "nom", False, "ein altes Haus"),
        (NEUTER, "ein", "dat", False, "einem alten Haus"),
        (NEUTER, "euer", "dat", False, "eurem alten Haus"),
        (NEUTER, "unser", "acc", True, "unsere alten Häuser"),
        (NOUN["Wein"], "", "nom", False, "alter Wein"),
        (NOUN["Brot"], "", "acc", False, "altes Brot"),
        (NEUTER, "dieser", "nom", False, "dieses alte Haus"),
        (MALE, "welcher", "acc", False, "welchen alten Mann"),
        (NOUN["Student"], "der", "acc", False, "den alten Studenten"),
        (NOUN["Kind"], "der", "dat", True, "den alten Kindern"),
    ],
)
def test_noun_phrases(noun, kind, case, plural, expected):
    assert noun_phrase(noun, kind, case, plural=plural, adj=OLD).de == expected


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("lesen", "lese liest liest lesen lest lesen"),
        ("arbeiten", "arbeite arbeitest arbeitet arbeiten arbeitet arbeiten"),
        ("fahren", "fahre fährst fährt fahren fahrt fahren"),
        ("essen", "esse isst isst essen esst essen"),
        ("nehmen", "nehme nimmst nimmt nehmen nehmt nehmen"),
        ("öffnen", "öffne öffnest öffnet öffnen öffnet öffnen"),
        ("haben", "habe hast hat haben habt haben"),
        ("einladen", "lade lädst lädt laden ladet laden"),
        ("tanzen", "tanze tanzt tanzt tanzen tanzt tanzen"),
        ("wandern", "wandere wanderst wandert wandern wandert wandern"),
        ("lernen", "lerne lernst lernt lernen lernt lernen"),
        ("wissen", "weiß weißt weiß wissen wisst wissen"),
    ],
)
def test_present_tense(verb, forms):
    assert " ".join(present(by_name(verb), person) for person in range(6)) == forms


def test_imperatives_for_du():
    imperatives = {
        "lesen": "lies",
        "nehmen": "nimm",
        "essen": "iss",
        "fahren": "fahr",
        "warten": "warte",
        "kommen": "komm",
        "öffnen": "öffne",
        "einladen": "lade",
        "laufen": "lauf",
        "sprechen": "sprich",
    }
    assert {verb: imperative(by_name(verb)) for verb in imperatives} == imperatives


def test_english_verbs():
    assert [ing(verb) for verb in ("make", "swim", "lie", "visit", "tidy up")] == [
        "making",
        "swimming",
        "lying",
        "visiting",
        "tidying up",
    ]
    assert [third(verb) for verb in ("go", "watch TV", "carry", "play", "have")] == [
        "goes",
        "watches TV",
        "carries",
        "plays",
        "has",
    ]
    assert clause("he", False, "read", "read", "read", "a book", question=True) == "does he read a book"
    assert clause("I", False, "be", "was", "been", "tired", negative=True) == "I'm not tired"
    assert clause("she", False, "go", "went", "gone", "home", tense="progressive") == "she's going home"


def test_numbers():
    assert [number(value).de for value in (7, 16, 17, 21, 70, 99)] == [
        "sieben",
        "sechzehn",
        "siebzehn",
        "einundzwanzig",
        "siebzig",
        "neunundneunzig",
    ]


def test_the_verb_stands_second_after_a_time():
    times = sorted((t.de for group in TIMES.values() for t in group), key=len, reverse=True)
    finite = {present(verb, person) for verb in VERB.values() for person in range(6)}
    rng = random.Random(1)
    for _ in range(2000):
        source = TOPIC["time_first"].generator(rng).source
        time = next(time for time in times if source.lower().startswith(time.lower() + " "))
        assert source[len(time) + 1 :].split()[0] in finite, source


def test_the_verb_stands_last_after_weil():
    rng = random.Random(1)
    finite = {
        present(verb, person)
        for verb in (*VERB.values(), "sein", "haben", "wollen", "müssen", "möchten")
        for person in range(6)
    }
    count = 0
    for _ in range(1500):
        source = TOPIC["subordinate"].generator(rng).source
        if ", weil " in source:
            count += 1
            assert source.rstrip(".").split()[-1] in finite, source
    assert count > 300


def test_who_sie_is(pairs):
    """Sie opens a statement as she or they; a capital Sie inside is the polite you."""
    for source, target in pairs:
        first, _, _rest = source.partition(" ")
        if first == "Sie" and source.endswith(".") and "bitte" not in source:
            assert re.match(r"(She|They|Her|Unfortunately)\b", target), (source, target)
        if re.search(r"[a-z,] Sie\b", source) and not source.startswith("Sie") and "heißen" not in source:
            assert re.search(r"\byour?\b", target, re.I) or source.endswith((".", "!")), (source, target)
