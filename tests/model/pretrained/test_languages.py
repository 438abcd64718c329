"""Models of many languages: told which one to read and which to write, as a user of transformers tells them."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers

from model.__main__ import main
from model.checkpoint import catalogue, checkpoints
from model.decode.translate import translate
from model.errors import InvalidInput
from tests.model.pretrained.small import build

TEXT = "The dog sleeps on the sofa."
PAIRS = {"m2m100": ("de", "zh"), "nllb": ("deu_Latn", "zho_Hans"), "mbart50": ("zh_CN", "en_XX")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("languages")
    for name in PAIRS:
        build(name, folder / "originals" / name)
        assert main(["import", str(folder / "originals" / name), "--out", str(folder / "models")]) == 0
    return folder


@pytest.fixture(autouse=True)
def _checkpoints(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(folder / "models"))


@pytest.mark.parametrize("name", PAIRS)
def test_told_other_languages_it_computes_what_the_original_does(name: str, folder: Path) -> None:
    reads, writes = PAIRS[name]
    checkpoint = checkpoints.load(catalogue.find(f"{name}@{reads}-{writes}"))
    run = translate(checkpoint, TEXT)
    original, ids = _of_transformers(name, folder / "originals" / name, reads)
    codes = _codes(name, folder / "originals" / name)
    with torch.inference_mode():
        out = original.generate(
            torch.tensor([ids]), max_new_tokens=len(run.target), do_sample=False, num_beams=1,
            forced_bos_token_id=codes[writes],
        )  # fmt: skip
    assert run.trace.source_tokens[0].strip("_") == reads
    assert run.trace.output_tokens[0].strip("_") == writes == run.trace.target_tokens[1].strip("_")
    others = [id_ for id_ in codes.values() if id_ != codes[writes]]
    assert out[0, 1] == codes[writes]
    assert not set(out[0].tolist()) & set(others)
    names = {id_: piece for piece, id_ in _vocabulary(name, folder / "originals" / name).items()}
    theirs = [names[id_] for id_ in out[0, 2 : len(run.target)].tolist()]
    assert [checkpoint.tokenizer.piece(id_) for id_ in run.target[2:]] == theirs


def _of_transformers(name: str, folder: Path, reads: str) -> tuple[transformers.PreTrainedModel, list[int]]:
    """The original model, and the ids of the text where its language is `reads`."""
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    if name == "m2m100":
        tokenizer = transformers.M2M100Tokenizer.from_pretrained(folder, src_lang=reads)
        return model, tokenizer(TEXT)["input_ids"]
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    body = tokenizer(TEXT, add_special_tokens=False)["input_ids"]
    return model, [_codes(name, folder)[reads], *body, model.config.eos_token_id]


def _vocabulary(name: str, folder: Path) -> dict[str, int]:
    if name == "m2m100":
        tokenizer = transformers.M2M100Tokenizer.from_pretrained(folder)
        return tokenizer.encoder | tokenizer.lang_token_to_id
    return transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json")).get_vocab()


def _codes(name: str, folder: Path) -> dict[str, int]:
    found = {piece.strip("_"): id_ for piece, id_ in _vocabulary(name, folder).items()}
    languages = catalogue.find(name).card["languages"]
    return {code: found[code] for code in languages}


def test_the_card_lists_the_languages_and_the_two_that_are_told_at_first() -> None:
    card = catalogue.find("nllb").card
    assert list(card["languages"]) == ["eng_Latn", "deu_Latn", "zho_Hans"]
    assert card["told"] == ["eng_Latn", "deu_Latn"]
    assert (card["source_language"], card["target_language"]) == ("en", "de")
    assert len(catalogue.find("m2m100").card["languages"]) == 100


def test_examples_are_in_the_language_that_is_read() -> None:
    assert "Wir gehen heute ins Kino." in catalogue.find("nllb@deu_Latn-eng_Latn").card["examples"]


@pytest.mark.parametrize("told", ["x-y", "deu_Latn", "deu_Latn-x", "", "-"])
def test_a_language_that_the_model_lacks_is_refused(told: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        catalogue.find(f"nllb@{told}")
    assert refused.value.code == "checkpoint_unknown"


def test_one_set_of_weights_serves_all_languages() -> None:
    base = checkpoints.load(catalogue.find("nllb"))
    told = checkpoints.told(base, catalogue.find("nllb@deu_Latn-eng_Latn"))  # type: ignore[arg-type]
    assert told.model.source_embedding is base.model.source_embedding
    assert told.model.config.forced != base.model.config.forced
    assert told.tokenizer.before != base.tokenizer.before
