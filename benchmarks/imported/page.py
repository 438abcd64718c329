"""A model of opus-mt's size in the app: Enter → all 144 heads ÷ a bare page, and the server's memory after 20 users.

Weights are random and the 58,101 tokens are made-up words, so that an output soon repeats itself and ends.
"""

import json
import re
import tempfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from urllib.parse import quote

import torch

from benchmarks.attention_update_speed import BARE, SENTENCES, typist_in_bare, typist_in_ours
from benchmarks.harness.browser import chromium, fresh_page
from benchmarks.harness.server import ROOT, Address, streamlit
from benchmarks.harness.timing import Row, medians
from benchmarks.imported.speed import VOCABULARY
from model.checkpoint import checkpoints
from model.config import TransformerConfig
from model.initial_weights import count_parameters
from model.tokenization.tokenizer import SPECIALS, Tokenizer

NAME = "imported"
USERS, WORDS = 20, 10
WARM_UP = 2


def imported_page() -> list[Row]:
    """Both rows, on servers of their own."""
    with tempfile.TemporaryDirectory() as folder:
        tokenizer = save_checkpoint(Path(folder) / NAME)
        environment = {"GLASSFORMER_CHECKPOINTS": folder}
        with streamlit(ROOT / "app.py", environment) as app, streamlit(BARE) as bare:
            return [_enter(app, bare, tokenizer), _memory(app)]


def save_checkpoint(folder: Path) -> Tokenizer:
    """Write the model as `python -m model import` would."""
    config = TransformerConfig(
        source_vocabulary=VOCABULARY, target_vocabulary=VOCABULARY, d_model=512, d_ff=2048,
        activation="silu", tied_embeddings="all", output_bias=True,
    )  # fmt: skip
    tokenizer = Tokenizer.words([" ".join(_word(n) for n in range(VOCABULARY - len(SPECIALS)))], ())
    torch.manual_seed(0)
    model = checkpoints.random_model(config, 0)
    checkpoints.save_model(folder, model, half=False)
    tokenizer.save(folder)
    card = {
        "task": "text-to-text",
        "imported": {"family": "marian", "source": NAME, "revision": "", "licence": "unknown"},
        "examples": [made_up_sentence(0)],
        "example_translation": "",
        "first_look": {"attention_kind": "cross", "layer": 0, "head": 0},
        "covers": [],
        "parameters": count_parameters(model),
    }
    (folder / "card.json").write_text(json.dumps(card), encoding="utf-8")
    return tokenizer


def _word(number: int) -> str:
    return f"w{number}"


def made_up_sentence(user: int) -> str:
    """Ten words that no other user types."""
    return " ".join(_word(WORDS * user + n) for n in range(WORDS))


def _enter(app: str, bare: str, tokenizer: Tokenizer) -> Row:
    sentences = [made_up_sentence(USERS + n) for n in range(len(SENTENCES))]
    with chromium() as browser, fresh_page(browser) as ours, fresh_page(browser) as other:
        ours.goto(f"{app}/attention?attention_kind=encoder&checkpoint={NAME}")
        other.goto(bare)
        ours.wait_for_function("clock.figure()")
        in_ours = typist_in_ours(ours, tokenizer, sentences)
        in_other = typist_in_bare(other, sentences)
        medians(in_ours, in_other, WARM_UP)
        a, b = medians(in_ours, in_other, len(sentences) - WARM_UP)
    return Row("imported: Enter → 144 heads ÷ page with one text", a, b, Fraction(6))


def _memory(app: Address) -> Row:
    """The server after so many users, each with a sentence of their own, beside a server of the sample model."""
    with streamlit(ROOT / "app.py") as samples:
        ours = _after_all(app, [made_up_sentence(n) for n in range(USERS)])
        other = _after_all(samples, [f"{SENTENCES[n % 10][:-1]}{' nicht' * (n // 10)}." for n in range(USERS)])
    return Row(f"imported: memory after {USERS} users ÷ with the sample model", ours, other, None, "bytes")


def _after_all(server: Address, sentences: Sequence[str]) -> float:
    with chromium() as browser:
        for sentence in sentences:
            with fresh_page(browser) as page:
                page.goto(f"{server}/attention?sentence={quote(sentence)}")
                page.wait_for_function("clock.figure()")
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="utf-8")
    return 1024.0 * int(re.search(r"VmRSS:\s+(\d+) kB", status)[1])  # type: ignore[index]
