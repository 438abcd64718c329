"""A live page of an imported model that gives labels."""

from pathlib import Path

import numpy as np
import pytest
import torch
from playwright.sync_api import expect

from live import pages
from live.texts import texts
from model.checkpoint import catalogue
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import Translation, translate
from model.edit.change_edits import edits_of_link
from model.edit.edit_effects import edited_values
from model.pretrained import importing
from model.pretrained.card import Origin
from tests.browser import PATIENCE
from tests.live.conftest import Open
from tests.model.pretrained.small import build

EN = texts("en")


@pytest.mark.sample(5)
@pytest.mark.parametrize("model", ["bert-labels", "bert-tokens", "bert-several", "bert-score", "bert-answers"])
def test_labels_are_shown_and_change_with_a_head(
    model: str, open_page: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(model, tmp_path / "original")
    importing.import_folder(tmp_path / "original", tmp_path / "folder", model, Origin(f"somebody/{model}"))
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path / "folder"))
    entry = catalogue.find(model)
    checkpoint, names = load(entry), entry.config.labels
    run = translate(checkpoint, entry.card["examples"][0])
    [file] = pages.write_single([entry], tmp_path / "live")

    page = open_page(f"{file.as_uri()}#start?language=en")
    expect(page.locator("body")).to_have_attribute("data-ready", model, timeout=PATIENCE)
    first = page.locator(".gf-plain tbody tr").first
    kind, last = entry.config.label_kind, checkpoint.tokenizer.last_text(run.source)
    if kind == "span":
        expect(page.get_by_text(answer(checkpoint, run, last))).to_be_visible()
        for share in torch.tensor(run.trace.values["labels"]).softmax(dim=0)[0]:
            expect(first).to_contain_text(f"{100 * share:.1f}%")
        return
    before = likeliest(kind, names, run.trace.values["labels"][0])
    for part in before:
        expect(first).to_contain_text(part)

    page.goto(f"{file.as_uri()}#intervene?language=en&changes=off:encoder.1.0")
    edits = edits_of_link(checkpoint, run, "off:encoder.1.0", 0)
    at = None if entry.config.label_each else before[0]  # a sentence keeps its rows, a token says its likeliest
    changed = likeliest(kind, names, edited_values(checkpoint, run, edits)["labels"][0], at)
    for part in changed:
        expect(page.locator(".gf-plain tbody tr").first).to_contain_text(part)


def answer(checkpoint: Checkpoint, run: Translation, places: range) -> str:
    """The likeliest span of the second text as the page says it."""
    starts, ends = torch.tensor(run.trace.values["labels"]).softmax(dim=0).T.tolist()
    share, first, last = max((starts[i] * ends[j], i, j) for i in places for j in places if i <= j)
    text = checkpoint.tokenizer.decode(run.source[first : last + 1])
    return EN["labels.answer"].format(text=text, share=f"{100 * share:.1f}%")


def likeliest(kind: str, names: list[str], logits: np.ndarray, at: str | None = None) -> tuple[str, str]:
    """The likeliest label, or the one named, and its share or its number as the page writes it."""
    if kind == "score":
        return names[0], f"{logits[0]:.3f}".replace("-", "−")
    shares = np.exp(logits) / np.exp(logits).sum()
    if kind == "several":
        shares = 1 / (1 + np.exp(-logits))
    best = names.index(at) if at else int(shares.argmax())
    return names[best], f"{100 * shares[best]:.1f}%"
