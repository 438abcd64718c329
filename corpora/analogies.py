"""Pairs of tokens in the same relation, to ask a vocabulary: a is to b as which token is to c?

A model is asked only the questions whose four tokens it has.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import NamedTuple

# relation: pairs "b a", each with every other one a question; c and its answer are such a pair too
RELATIONS = {
    "feminine": "Lehrer Lehrerin, Arzt Ärztin, Freund Freundin, Kollege Kollegin, Nachbar Nachbarin, Kunde Kundin, "
    "Verkäufer Verkäuferin, Student Studentin, Schüler Schülerin, Chef Chefin, Mann Frau, Vater Mutter, "
    "Bruder Schwester, Sohn Tochter, Opa Oma, man woman, father mother, brother sister, son daughter, he she, him her, "
    "男 女, 爸 妈, 哥 姐, 弟 妹, 他 她, "
    "padre madre, hermano hermana, hijo hija, abuelo abuela, amigo amiga, profesor profesora, vecino vecina, "
    "hombre mujer, chico chica, niño niña, médico médica, camarero camarera",
    "plural": "kann können, muss müssen, will wollen, darf dürfen, ist sind, hat haben, war waren, geht gehen, "
    "kommt kommen, macht machen, is are, was were, has have, does do, "
    "puede pueden, debe deben, quiere quieren, tiene tienen, va van, hace hacen, está están, viene vienen, vive viven",
    "possessive": "I my, you your, he his, we our, they their, ich mein, du dein, er sein, wir unser, "
    "yo mi, tú tu, nosotros nuestro",
    "days": "Montag Dienstag, Dienstag Mittwoch, Mittwoch Donnerstag, Donnerstag Freitag, Freitag Samstag, "
    "Monday Tuesday, Tuesday Wednesday, Wednesday Thursday, Thursday Friday, Friday Saturday, "
    "lunes martes, martes miércoles, miércoles jueves, jueves viernes, viernes sábado",
    "numbers": "zwei drei, drei vier, vier fünf, fünf sechs, two three, three four, four five, five six, "
    "一 二, 二 三, 三 四, 四 五, 五 六, dos tres, tres cuatro, cuatro cinco, cinco seis",
    "digits": "1 2, 2 3, 3 4, 4 5, 5 6, 6 7, 7 8, 8 9",
    "letters": "a b, b c, c d, d e, e f, f g, g h, h i",
    "translation": "Buch book, Haus house, Mann man, Frau woman, Auto car, Wasser water, Tee tea, heute today, "
    "morgen tomorrow, nicht not, und and, wir we, 我 I, 你 you, 他 he, 书 book, 水 water, 茶 tea, 人 people, 不 not, "
    "libro book, casa house, hombre man, mujer woman, coche car, agua water, té tea, hoy today, "
    "mañana tomorrow, muy very",
    "capital": "a A, b B, c C, d D, e E, g G, h H, m M, s S, t T",
}


class Question(NamedTuple):
    """Ids: which token is to `c` as `a` is to `b`? The answer is `d`."""

    a: int
    b: int
    c: int
    d: int


def questions(names: Sequence[str]) -> dict[str, list[Question]]:
    """By relation, the questions that a vocabulary can be asked, from the names of its tokens by id."""
    ids = {name: id_ for id_, name in reversed(list(enumerate(names)))}
    by_relation: dict[str, list[Question]] = {}
    for relation, text in RELATIONS.items():
        pairs = [pair.split() for pair in text.split(", ")]
        pairs_with_ids = [(ids[b], ids[a]) for b, a in pairs if a in ids and b in ids]
        group = [Question(a, b, c, d) for (b, a), (c, d) in permutations(pairs_with_ids, 2) if len({a, b, c, d}) == 4]
        if group:
            by_relation[relation] = group
    return by_relation
