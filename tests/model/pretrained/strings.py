"""Texts that tokenizers should cut alike: plain and noisy ones, empty ones, emoji, several scripts."""

import random

_PARTS = (
    "The dog sleeps", "Wir gehen ins Kino", "我们今天去看电影", "doesn't", "15 minutes", "über", "ÄÖÜ", "naïve café",
    "…", "—", "“quoted”", "(brackets)", "e-mail", "COVID-19", "3.14", "1,000,000", "http://a.b/c?d=e", "Ｆｕｌｌ",
    "ﬁne", "👍🏽", "👩‍👩‍👧", "🇩🇪", "Привет", "مرحبا", "नमस्ते", "ไทย", "日本語", "한국어", "e\u0301", "Å", "\u00a0", "\t",
    "\n", "  ", "   ", "\u200b", "ß", "ẞ", "'", '"', "<", ">", "<b>", "▁", "##ing", "Ġthe", "_", "-", ".", "!", "?",
    "a", "Z", "0", "½", "²", "™", "\u3000", "，", "。",
)  # fmt: skip
_EDGES = ("", " ", "  ", "\n", ".", "a", "The dog sleeps on the sofa.", " leading and trailing ", "a" * 120)


def strings(count: int, seed: int = 0) -> list[str]:
    """`count` texts: the edges, then parts put together at random, with or without spaces."""
    rng = random.Random(seed)
    mixed = [rng.choice(("", " ", " ", "  ")).join(rng.choices(_PARTS, k=rng.randint(1, 7))) for _ in range(count)]
    return [*_EDGES, *mixed][:count]


STRINGS = strings(300)
