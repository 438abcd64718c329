"""The topics of the grammar, with examples and their share of the corpus."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from model.corpora.german.topics import (
    daily,
    dative,
    describing,
    everyday,
    fixed,
    joining,
    locating,
    modals,
    outside,
    particles,
    past,
    people,
    reflexive,
    requests,
)
from model.corpora.pairs import Pair


@dataclass(frozen=True)
class Topic:
    """One kind of sentence: `generator` draws a pair, `weight` is its share of the draws."""

    key: str
    examples: tuple[str, ...]
    weight: float
    generator: Callable[[random.Random], Pair]


TOPICS: tuple[Topic, ...] = (
    Topic("statements", ("Ich höre Musik.", "Ich besuche ein Museum.", "Ich habe ein Hobby."), 8, everyday.statements),
    Topic("going", ("Ich bleibe zu Hause.", "Wir gehen ins Restaurant.", "Ich fahre ans Meer."), 6, everyday.going),
    Topic("daily_routine", ("Er isst um zwölf Uhr zu Mittag.", "Ich arbeite im Büro."), 3, everyday.daily_routine),
    Topic("time_first", ("Am Montag bleibe ich zu Hause.", "Am Sonntag bleiben wir zu Hause."), 7, everyday.time_first),
    Topic("negation", ("Ich komme nicht mit.", "Sie hört nicht zu."), 6, everyday.negation),
    Topic("yes_no_questions", ("Haben Sie eine Frage?", "Kommen Sie mit?"), 6, everyday.yes_no_questions),
    Topic("w_questions", ("Wo wohnst du?", "Wohin gehen Sie?"), 5, everyday.w_questions),
    Topic("liking", ("Ich fahre gern in die Berge.", "Was trinken Sie am liebsten?"), 5, everyday.liking),
    Topic("modals", ("Können Sie zu Hause bleiben?", "Sollen wir ausgehen?"), 8, modals.modals),
    Topic("modal_questions", ("Wohin möchten Sie fahren?", "Wohin möchtest du gehen?"), 3, modals.modal_questions),
    Topic("perfekt", ("Ich habe zu Mittag gegessen.", "Ich bin zu Hause geblieben."), 8, past.perfekt),
    Topic("perfekt_questions", ("Wohin bist du gefahren?", "Was haben Sie gemacht?"), 3, past.perfekt_questions),
    Topic("already", ("Haben Sie schon bestellt?", "Ich habe schon aufgeräumt."), 2, past.already),
    Topic(
        "past_of_being",
        ("Ich war letzten Sommer in den Bergen.", "Ich hatte heute Morgen Glück."),
        3,
        past.past_of_being,
    ),
    Topic("reflexives", ("Ich fühle mich nicht wohl.", "Wir treffen uns im Café."), 4, reflexive.reflexives),
    Topic("imperatives", ("Warten Sie bitte am Bahnhof.", "Bleib zu Hause!"), 4, modals.imperatives),
    Topic(
        "subordinate",
        ("Ich bleibe zu Hause, weil ich müde bin.", "Sie geht nach Hause, weil sie müde ist."),
        5,
        joining.subordinate,
    ),
    Topic(
        "joined",
        ("Zuerst bleibe ich zu Hause, dann mache ich Musik.", "Zuerst bleibe ich zu Hause, dann koche ich."),
        3,
        joining.joined,
    ),
    Topic("dative", ("Ich helfe ihr.", "Ich koche ihm eine Suppe."), 6, dative.dative),
    Topic("things", ("Das Haus ist klein.", "Die Antwort ist falsch."), 5, describing.thing_is),
    Topic("people", ("Ich bin höflich.", "Wir sind verheiratet."), 5, describing.person_is),
    Topic("attributes", ("Das ist ein großer Hund.", "Das ist eine neue Wohnung."), 6, describing.attributes),
    Topic(
        "comparing",
        ("Das Haus ist größer als die Wohnung.", "Die Wohnung ist kleiner als das Haus."),
        2,
        describing.comparing,
    ),
    Topic("where_things_are", ("Wo ist die Küche?", "Wo ist der Bus?"), 5, locating.where_things_are),
    Topic("where_people_are", ("Wo bist du?", "Wo sind Sie heute?"), 4, locating.where_people_are),
    Topic("there_is", ("Gibt es in der Küche eine Tasse?", "In der Küche gibt es ein Messer."), 2, locating.there_is),
    Topic("pleasing", ("Der Film gefällt ihm.", "Die Musik gefällt mir."), 4, locating.pleasing),
    Topic("introductions", ("Wie heißt du?", "Woher kommen Sie?", "Ich heiße Sara."), 4, people.introductions),
    Topic("professions", ("Was bist du von Beruf?", "Sie ist Studentin."), 2.5, people.professions),
    Topic("languages", ("Welche Sprachen sprichst du?", "Sprechen Sie Englisch?"), 2.5, people.languages),
    Topic("age_family", ("Wie alt bist du?", "Hast du Geschwister?"), 3, people.age_family),
    Topic("orders", ("Ich möchte einen Kaffee, bitte.", "Ich möchte eine Limonade."), 4, daily.orders),
    Topic("having", ("Ich habe Durst.", "Hast du Angst?"), 4, daily.having),
    Topic("body", ("Mir tut der Kopf weh.", "Mein Bauch tut weh."), 2.5, daily.body),
    Topic("weather", ("Es regnet heute.", "Wie ist das Wetter heute?"), 3, outside.weather),
    Topic("clock_times", ("Es ist halb acht.", "Es ist sieben Uhr."), 3, outside.clock_times),
    Topic("prices", ("Was kostet das Buch?", "Wie viel kostet das Fahrrad?"), 3, daily.prices),
    Topic("directions", ("Gehen Sie geradeaus.", "Wie komme ich zum Theater?"), 2.5, outside.directions),
    Topic("lengths", ("Wie lange dauert der Film?", "Der Film dauert zwei Stunden."), 1, outside.lengths),
    Topic("who_is_it", ("Das ist die Frau.", "Das ist Tom."), 3, people.who_is_it),
    Topic("one_does", ("Kann man hier parken?", "Hier darf man nicht parken."), 1.5, outside.one_does),
    Topic("small_words", ("Ich arbeite noch.", "Sie schläft noch."), 3, particles.small_words),
    Topic("which", ("Wie findest du die Idee?", "Wie finden Sie die Stadt?"), 4, particles.which),
    Topic("companions", ("Das Geschenk ist für ihn.", "Ich wohne bei meiner Freundin."), 4, particles.companions),
    Topic(
        "polite_requests",
        ("Können Sie mir die Adresse schicken?", "Kannst du mir bitte den Weg erklären?"),
        3,
        requests.polite_requests,
    ),
    Topic("suggestions", ("Lass uns spazieren gehen.", "Wollen wir ausgehen?"), 3, requests.suggestions),
    Topic(
        "indirect_questions",
        ("Weißt du, wo die Post ist?", "Er fragt, wo der Park ist."),
        2.5,
        requests.indirect_questions,
    ),
    Topic("dates", ("Mein Geburtstag ist im Mai.", "Heute ist der erste März."), 2, requests.dates),
    Topic("past_modals", ("Ich musste einkaufen.", "Wir wollten zu Hause bleiben."), 3, requests.past_modals),
    Topic(
        "everyday_sentences",
        ("Wir gehen heute ins Kino.", "Kannst du mir helfen?", "Wie geht es dir?"),
        6,
        fixed.everyday_sentences,
    ),
    Topic("word_list", ("der Tisch", "kaufen", "im Januar"), 2, fixed.word_list),
)
