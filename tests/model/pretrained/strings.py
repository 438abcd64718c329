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

HARD = (  # bytes as a user types them, marks and spaces of all kinds, what normalizers change
    "▁", "▁a", " ▁a", "a▁b", "▁▁", "a \t b", "a\nb", "a \n\n b\n", "\ta", "a\t", "a\r\nb", "\u00a0a\u00a0",
    "a\u3000b", "<0x41>", "a<0x0A>b", "<0xZZ>", "`` quoted '' text", "a``b", "1,000 12,", "12, 12", "9,a", "ǅ ß ẞ ﬀ",
    "Café CAFÉ cafe\u0301 İI", "①②³ ＡＢＣ１２３", "\u0301a", "\u200d\u200c\u200b", "\ufeffa", "\u2028a\u2029b",
    "\x85a", "(a)-(b).", "a.b.c", "…", "——", "🙂🙂 🙂", "👩‍👩‍👧‍👦", "𝔘𝔫𝔦", "𠮷野家", "हिन्दी", "ภาษาไทย", "אבג", "don’t",
    "I'll we've THEY'RE", "1234567 12 345", "a_b __init__", "==>", "    return x", "\t\treturn\n", "x" * 200,
    "A" * 101 + " b",
)  # fmt: skip
CLUSTERS = ("e\u0301\u0302\u0303", "ｶﾞ ガ")  # which the library `tokenizers` normalizes otherwise than sentencepiece
TYPED = ("</s>", "a</s>b", "<s> a", "<unk>", "<pad>a", "[CLS] a [SEP]", "[UNK]", "<|endoftext|>a", "<extra_id_0>",
         "<mask_1> a", "en_XX", "a eng_Latn", "<bos>a<eos>", "<start_of_turn>user", "<|im_start|>")  # fmt: skip
