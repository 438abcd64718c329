"""The engine of the grammars, on a small one: forms, agreement, parts, alternatives, gold, and what `check` finds."""

import random
from pathlib import Path

import pytest

from corpora.grammar import Grammar, check, load
from corpora.grammar.inflection import Inflection, NoForm, features

GERMAN = """
@features
case = nom acc dat
number = sg pl
gender = m f n
person = 1 2 3
tense = pres inf part
@articles
der = m
die = f
das = n
@parts
noun = lemma, pl
verb = lemma, pres.3sg, part
@writing
verb = last
plural = neutral
default = nom
function = der die das
@noun : sg, pl
(.*) = \\1, -
@verb : pres.1sg, pres.2sg, pres.3sg, pres.pl, inf
sein = bin, bist, ist, sind, sein
haben = habe, hast, hat, haben, haben
(.*)en = \\1e, \\1st, \\1t, \\1en, \\1en
@verb : part
(.*)en = ge\\1t
@word : m.nom, f.nom, n.nom, pl.nom, m.acc, f.acc, n.acc, pl.acc
der = der, die, das, die, den, die, das, die
@poss : m.acc, f.acc, n.acc, pl
(.*) = \\1en, \\1e, \\1, \\1e
@joins
in das = ins
"""
ENGLISH = """
@features
number = sg pl
person = 1 2 3
tense = now inf past ask main ing
@parts
noun = lemma, pl
verb = lemma, past, ing
@writing
alone = ask
@noun : sg, pl
(.*) = \\1, \\1s
@verb ongoing : now.1sg, now.2, now.3sg, now.pl
.* = am {ing}, are {ing}, is {ing}, are {ing}
@verb : now.1sg, now.2, now.3sg, now.pl, ask.1sg, ask.2, ask.3sg, ask.pl, main
be = am, are, is, are, am, are, is, are,
(.*) = \\1, \\1, \\1s, \\1, do, do, does, do, {inf}
@verb : inf, past, ing
(.*) = \\1, \\1ed, \\1ing
@word : sg, pl
a = a,
@joins
a ([aeio]\\w*) = an \\1
(I) am = I'm
"""
WORDS = """
@pron
ich = I = 1sg person
du = you = 2sg
@poss
mein = my = of:1sg
dein = your = of:2sg
@noun food
der Apfel, Äpfel = apple
das Brot, - = bread, -
@noun clothing
die Hose, Hosen = trousers, trousers = en:pl
@verb aux:haben obj:food
kaufen = buy, bought
ab|holen, , abgeholt = pick|up
an|machen = turn|on
@verb ongoing aux:sein
gehen, geht, gegangen = go, went
"""
PATTERNS = """
@phrase np
1 = {der} {n:noun sg} = the {n} = def
1 = {poss ~s} {n:noun sg} = {poss} {n} = own
1 = {der} {n:noun pl} = the {n} = many
@phrase action
1 = {v:verb +obj} / {o:np acc +v.obj} = {v} / {o}
1 = {v:verb +ongoing} / / gern = {v} / / happily
@topic statements 3
1 = {s:pron} {a:action/1 pres} {a/2} {a/1 particle}. = {s} {a/1 now} {a/2}.
@topic questions 1
1 = {a:action/1 pres} {s:pron} {a/2} {a/1 particle}? = {a/1 ask} {s} {a/1 main} {a/2}?
@topic perfect 1
1 = {s:pron} {a:action/1 aux pres} {a/2} {a/1 part}. = {s} {a/1 past} {a/2}.
@topic modal 1
1 = {s:pron} (will|muss) {a:action/2} {a/1 inf}. = {s} (want to|must) {a/1 inf} {a/2}.
@topic into 1
1 = in das Haus = into the house = plain
1 = {n:noun sg +clothing}: {sein pres =n} neu = {n}: {be now =n} new
@topic short 1
1 = Ja, {s:pron} {sein pres}. = Yes, {s} {be now}.
1 = {s:pron} {sein pres} neu. = {s} {be now} new.
"""


def grammar(folder: Path, **files: str) -> Grammar:
    """The small grammar, some of its files replaced."""
    texts = {"inflection": GERMAN, "words": WORDS, "patterns": PATTERNS} | files
    for name, text in texts.items():
        path = folder / "de" / (f"{name}.txt" if name == "inflection" else f"{name}/all.txt")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "en").mkdir(exist_ok=True)
    (folder / "en" / "inflection.txt").write_text(ENGLISH, encoding="utf-8")
    return Grammar("de", folder)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Grammar:
    return grammar(tmp_path_factory.mktemp("small"))


@pytest.fixture(scope="module")
def made(small: Grammar) -> dict[str, set[str]]:
    """All that the small grammar makes."""
    return {source: set(targets) for source, targets in check.draw(small, 5000).targets.items()}


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("Ich kaufe den Apfel.", "I buy the apple."),
        ("Du holst dein Brot ab.", "You pick up your bread."),  # the particle at the end; whose bread it is
        ("Holst du das Brot ab?", "Do you pick up the bread?"),
        ("Ich habe die Äpfel abgeholt.", "I picked up the apples."),
        ("Ich habe die Äpfel angemacht.", "I turned on the apples."),
        ("Ich will meinen Apfel abholen.", "I want to pick up my apple."),
        ("Du musst gehen.", None),  # `muss` is text: it does not agree
        ("Du muss gehen.", "You must go."),
        ("Ich gehe.", "I'm going."),
        ("Ich bin gegangen.", "I went."),
        ("ins Haus", "into the house"),
        ("Ich bin neu.", "I'm new."),
        ("Ja, ich bin.", "Yes, I am."),  # joined before a word alone
        ("Hose: ist neu", "Trousers: are new"),  # one language says one thing, the other several
    ],
)
def test_what_the_small_grammar_makes(made: dict[str, set[str]], source: str, target: str | None) -> None:
    assert made.get(source, {None}) == {target}


def test_a_slot_has_the_words_that_meet_all_of_its_filters() -> None:
    made, rng = load("de"), random.Random(0)
    nouns = [word for word in made.words if word.pos == "noun"]
    said = {word: word.tags.union(word.attributes) for word in nouns}
    for _ in range(20):
        (one, two), (other, _) = (rng.choices(sorted(said[rng.choice(nouns)]), k=2) for _ in range(2))
        expected = [word for word in nouns if {one, two} & said[word] and other not in said[word]]
        filters = (("+", (one, two)), ("-", (other,)))
        assert made.drawing.choices("noun", filters).words == expected
        plural = [word for word in expected if "no-pl" not in word.tags]
        assert made.drawing.choices("noun", filters, frozenset({"pl"})).words == plural
    owned = made.drawing.choices("poss", (("~", ("3", "male", "sg")),)).words
    assert [word.sides[0].text for word in owned] == ["sein"]


def test_nothing_is_made_that_does_not_agree(made: dict[str, set[str]]) -> None:
    assert not [source for source in made if "Ich" in source and "dein" in source]
    assert not [source for source in made if "Hose" in source and "kauf" in source]  # it is no food
    assert not [source for source in made if "Brots" in source or "Brote" in source]  # it has no plural


def test_the_same_seed_makes_the_same(small: Grammar) -> None:
    assert small.generate(3, 40) == small.generate(3, 50)[:40] != small.generate(4, 40)


def test_gold_joins_what_the_same_draw_made(small: Grammar) -> None:
    by_source = {each.pair.source: each for seed in range(3) for each in small.aligned(seed, 4)}
    for each in by_source.values():
        assert each.sure <= each.possible
        for i, j in each.possible:
            assert i < len(each.source_words)
            assert j < len(each.target_words)
    rng = random.Random(0)
    group = next(group for group in small.groups if group.name == "statements")
    while (sentence := small.draw(group, rng)).pair.source != "Ich hole den Apfel ab.":
        pass
    gold = small.gold(sentence)
    sure = gold.named(gold.sure)
    assert {("Ich", "I"), ("den", "the"), ("Apfel", "apple")} <= sure
    assert ("hole", "apple") not in gold.named(gold.possible)
    assert {("hole", "pick"), ("ab", "up")} <= gold.named(gold.possible)


def test_forms_come_from_the_most_exact_column_and_the_first_row(tmp_path: Path) -> None:
    path = tmp_path / "xx" / "inflection.txt"
    path.parent.mkdir()
    path.write_text(
        "@parts\nnoun = lemma, pl\n@noun : pl, pl.dat\nHaus = Häuser, {pl}n\n(.*) = \\1e, {pl}n\n"
        "@noun weak : pl\n(.*) = \\1en\n",
        encoding="utf-8",
    )
    language = Inflection(path)

    def form(lemma: str, wanted: str, tags: str = "", **parts: str) -> str:
        return language.form("noun", {"lemma": lemma, **parts}, features(tags), features(wanted))

    assert form("Haus", "pl") == "Häuser"
    assert form("Haus", "pl.dat") == "Häusern"
    assert form("Tisch", "pl.dat") == "Tischen"
    assert form("Mensch", "pl", "weak") == "Menschen"
    assert form("Auto", "pl", pl="Autos") == "Autos"
    assert form("Auto", "pl.dat", pl="Autos") == "Autosn"
    with pytest.raises(NoForm, match="xx: noun 'Brot' has no form 'pl'"):
        form("Brot", "pl", pl="-")


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"words": WORDS + "@noun food\nder Apfel = pear\n"}, "sources with more than one translation"),
        ({"words": WORDS + "@adverb\noft = often\n"}, "words that were never drawn"),
        ({"patterns": PATTERNS + "1 = {n:noun sg akk} = {n}\n"}, "features that neither language has"),
        ({"patterns": PATTERNS + "@phrase idle\n1 = nie = never\n"}, "patterns that were never used"),
        ({"words": WORDS.replace("abgeholt", "-")}, "forms that are lacking"),
        ({"patterns": PATTERNS + "1 = {s:pron} {poss ~s} {n:noun sg +gone} = {s} {poss} {n}\n"}, "mostly find no word"),
    ],
)
def test_what_check_finds(tmp_path: Path, files: dict[str, str], said: str) -> None:
    checked = grammar(tmp_path, **files)
    assert [kind for kind, _ in check.problems(checked, check.draw(checked, 3000)) if said in kind]


def test_check_finds_nothing_where_nothing_is_wrong(small: Grammar) -> None:
    assert not list(check.problems(small, check.draw(small, 3000)))


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"words": "@noun\nder Apfel\n"}, "der Apfel"),
        ({"words": "@noun\nder Apfel, Äpfel, Apfels = apple\n"}, "more parts"),
        ({"patterns": "@topic one 1\n1 = {s:pron}.\n"}, "weight = source = target"),
        ({"patterns": "@topic one 1\n1 = {s:pron} = {s} {o:noun}\n"}, "not in the source"),
        ({"patterns": "@topic one 1\n1 = {s:pron +p.x} {p:pron +s.x} = {s}\n"}, "need each other"),
        ({"patterns": "@topic one 1\n1 = (ja|nein) = (yes|no|perhaps)\n"}, "do not go together"),
        ({"inflection": GERMAN + "@noun : sg, pl\nHaus = Haus\n"}, "has not 2 forms"),
    ],
)
def test_a_slip_of_the_pen_is_named(tmp_path: Path, files: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        check.draw(grammar(tmp_path, **files), 10)
