"""Folders as people really have them: ids of another vocabulary, wrapped names, short windows, letters for words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tokenizers
import torch
import transformers
from safetensors.torch import load_file, save_file
from tokenizers import Regex, models, pre_tokenizers

from model.__main__ import main
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import translate
from model.pretrained import importing
from model.pretrained.folder import Folder
from model.tokenization.tokenizer import BOS, SPECIALS, UNK
from tests.model.pretrained.small import build

WEIGHTS, ACIDS = "model.safetensors", "ACDEFGHIKLMNPQRSTVWY"


@pytest.fixture(scope="module")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("original") / "gpt2"
    build("gpt2", folder)
    return folder


def changed(original: Path, folder: Path, *changes: Callable[[Path], object]) -> Path:
    folder.mkdir()
    for file in original.iterdir():
        if file.name != "generation_config.json":  # which says the ids again
            (folder / file.name).write_bytes(file.read_bytes())
    for change in changes:
        change(folder)
    return folder


def fields(file: str = "config.json", **values: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        there = json.loads((folder / file).read_text()) if (folder / file).is_file() else {}
        (folder / file).write_text(json.dumps(there | values))

    return change


def imported(folder: Path, out: Path, *options: str) -> Checkpoint:
    """Import a folder by the command; its card's example has run."""
    assert main(["import", str(folder), "--out", str(out), "--name", "own", *options]) == 0
    entry = Entry(out / "own")
    assert entry.is_sound()
    checkpoint = load(entry)
    for sentence in entry.card["examples"]:
        run = translate(checkpoint, sentence)
        assert UNK not in (run.source or run.target), sentence
    return checkpoint


def examples(out: Path) -> list[str]:
    return list(Entry(out / "own").card["examples"])


def logits(checkpoint: Checkpoint, text: str) -> dict[str, float]:
    """The last logit of each piece, whatever its id."""
    read = checkpoint.tokenizer.encode(text)[:-1]
    with torch.inference_mode():
        last = checkpoint.model(None, torch.tensor([read]), None)[0, -1]
    return {piece: float(last[id_]) for piece, id_ in checkpoint.tokenizer.vocabulary.items() if piece not in SPECIALS}


# folders


def test_a_byte_order_mark_is_no_damage(gpt2: Path, tmp_path: Path) -> None:
    """As an editor of Windows saves it."""
    folder = changed(gpt2, tmp_path / "a")
    for file in ("config.json", "tokenizer_config.json"):
        (folder / file).write_bytes(b"\xef\xbb\xbf" + (folder / file).read_bytes())
    assert imported(folder, tmp_path).tokenizer.size == 360 + 3


@pytest.mark.parametrize("below", ["", "snapshots", "snapshots/abc123"])
def test_the_cache_of_the_hub_is_a_folder_too(below: str, gpt2: Path, tmp_path: Path) -> None:
    """Its files are links into blobs/, and refs/main says which snapshot is the newest."""
    cached = tmp_path / "models--somebody--small-gpt2"
    for part in ("blobs", "refs", "snapshots/abc123", "snapshots/0ld"):
        (cached / part).mkdir(parents=True)
    (cached / "refs" / "main").write_text("abc123")
    for number, file in enumerate(gpt2.iterdir()):
        (cached / "blobs" / str(number)).write_bytes(file.read_bytes())
        (cached / "snapshots" / "abc123" / file.name).symlink_to(f"../../blobs/{number}")
    imported(cached / below, tmp_path)
    origin = Entry(tmp_path / "own").card["imported"]
    assert (origin["source"], origin["revision"]) == ("somebody/small-gpt2", "abc123")


def test_a_cache_that_does_not_say_which_snapshot_is_refused(
    gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("abc", "def"):
        (tmp_path / "models--a--b" / "snapshots" / name).mkdir(parents=True)
    assert main(["import", str(tmp_path / "models--a--b"), "--out", str(tmp_path / "out")]) == 2
    assert "snapshots/" in capsys.readouterr().err


def test_the_index_of_an_earlier_time_does_not_count(gpt2: Path, tmp_path: Path) -> None:
    """As it is left where a model in several files was there before."""
    folder = changed(gpt2, tmp_path / "a")
    tensors = load_file(folder / WEIGHTS)
    save_file({name: tensor + 1 for name, tensor in tensors.items()}, folder / "model-00001-of-00001.safetensors")
    index = {"weight_map": dict.fromkeys(tensors, "model-00001-of-00001.safetensors")}
    (folder / f"{WEIGHTS}.index.json").write_text(json.dumps(index))
    assert logits(imported(folder, tmp_path), "We are") == logits(imported(gpt2, tmp_path / "b"), "We are")


# ids of special tokens


@pytest.mark.parametrize("family", ["bart", "nllb"])
def test_what_an_output_begins_with_stands_in_generation_config(
    family: str, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    """Where there is such a file, config.json says nothing of it; the proof would find another beginning."""
    ids = {"decoder_start_token_id": 0, "forced_bos_token_id": 7}
    folder = changed(
        originals(family), tmp_path / "a",
        fields(decoder_start_token_id=2, forced_bos_token_id=9), fields("generation_config.json", **ids),
    )  # fmt: skip
    checkpoint = imported(folder, tmp_path, "--check")
    theirs = importing.convert(Folder(folder)).numbering.target
    assert (theirs[BOS], [theirs[id_] for id_ in checkpoint.model.config.forced]) == (0, [7])


@pytest.mark.parametrize(
    ("family", "change"),
    [
        ("distilbert", {"layer_norm_eps": 1e-3}),  # which transformers does not read
        ("phi3", {"rms_norm_eps": None}),  # whose default is another
        ("mistral-window", {"sliding_window": 40}),  # longer than an example
    ],
)
def test_a_field_counts_as_in_transformers(
    family: str, change: dict[str, object], originals: Callable[[str], Path], tmp_path: Path
) -> None:
    folder = changed(originals(family), tmp_path / "a", fields(**change))
    config = json.loads((folder / "config.json").read_text())
    left = {name: value for name, value in config.items() if value is not None or name not in change}
    (folder / "config.json").write_text(json.dumps(left))
    imported(folder, tmp_path, "--check")
    assert Entry(tmp_path / "own").card["checked"]["difference"] < 1e-5


def test_texts_that_transformers_cuts_otherwise_are_named(gpt2: Path, tmp_path: Path) -> None:
    """It makes GPT-2's tokenizer anew, without steps of a tokenizer.json that this class has not (SmolLM's digits)."""
    folder = changed(gpt2, tmp_path / "a", fields("tokenizer_config.json", tokenizer_class="GPT2Tokenizer"))
    inner = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    inner.normalizer = tokenizers.normalizers.Lowercase()
    inner.save(str(folder / "tokenizer.json"))
    imported(folder, tmp_path, "--check", "--example", "we are going.")
    assert "ALL CAPS and CamelCase" in Entry(tmp_path / "own").card["checked"]["otherwise"]


def test_ids_of_another_vocabulary_count_as_not_declared(gpt2: Path, tmp_path: Path) -> None:
    """GPT-2's 50256 beside 360 pieces; where the tokenizer says nothing, its piece is one like any other."""
    folder = changed(gpt2, tmp_path / "a", fields(bos_token_id=50256, eos_token_id=[50256], pad_token_id=50257))
    own, sound = imported(folder, tmp_path), imported(gpt2, tmp_path / "b")
    assert "<|endoftext|>" in own.tokenizer.vocabulary
    expected = logits(sound, "We are")
    found = {piece: value for piece, value in logits(own, "We are").items() if piece in expected}
    assert found == pytest.approx(expected, abs=1e-6)  # a product of another shape may be rounded another way


@pytest.mark.parametrize("file", ["tokenizer_config.json", "special_tokens_map.json"])
@pytest.mark.parametrize("said", ["<|endoftext|>", {"content": "<|endoftext|>", "lstrip": False}])
def test_the_tokenizer_says_which_piece_ends_a_text(file: str, said: object, gpt2: Path, tmp_path: Path) -> None:
    folder = changed(gpt2, tmp_path / "a", fields(eos_token_id=50256), fields(file, eos_token=said))
    tokenizer = imported(folder, tmp_path).tokenizer
    assert "<|endoftext|>" not in tokenizer.vocabulary  # it is `<eos>` here
    assert tokenizer.size == imported(gpt2, tmp_path / "b").tokenizer.size


@pytest.mark.sample(3)
@pytest.mark.parametrize("family", ["gpt2", "llama", "qwen2", "bart", "mbart", "t5", "marian", "bert", "roberta"])
@pytest.mark.parametrize("id_", [10**6, -1, "none"])
def test_no_id_outside_of_the_vocabulary_ends_in_an_exception(
    family: str, id_: object, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    ids = dict.fromkeys(("bos_token_id", "eos_token_id", "decoder_start_token_id", "forced_bos_token_id"), id_)
    if family != "roberta":  # which counts its positions from there
        ids["pad_token_id"] = id_
    imported(changed(originals(family), tmp_path / "a", fields(**ids)), tmp_path)


def test_a_template_with_an_id_outside_of_the_vocabulary_is_refused_in_a_sentence(
    gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    template = tokenizers.processors.TemplateProcessing("$A </s>", special_tokens=[("</s>", 5000)])
    folder = changed(gpt2, tmp_path / "a")
    inner = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    inner.post_processor = template
    inner.save(str(folder / "tokenizer.json"))
    assert main(["import", str(folder), "--out", str(tmp_path / "out")]) == 2
    assert "5001 pieces" in capsys.readouterr().err


# pieces that are called as ours are


def piece_renamed(old: str, new: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / "tokenizer.json"
        path.write_text(path.read_text(encoding="utf-8").replace(json.dumps(old), json.dumps(new)), encoding="utf-8")

    return change


@pytest.mark.parametrize("special", SPECIALS)
def test_a_piece_that_is_called_like_ours_is_imported(special: str, gpt2: Path, tmp_path: Path) -> None:
    """The piece is that special, unless the config names another one."""
    folder = changed(gpt2, tmp_path / "a", fields(bos_token_id=None, eos_token_id=None))
    piece_renamed("<|endoftext|>", special)(folder)
    checkpoint = imported(folder, tmp_path)
    vocabulary = checkpoint.tokenizer.vocabulary
    assert len(vocabulary) == 360 + 3
    assert list(vocabulary)[: len(SPECIALS)] == list(SPECIALS)
    assert logits(checkpoint, "We are") == logits(imported(gpt2, tmp_path / "b"), "We are")


def test_a_special_of_another_name_leaves_the_piece_its_number(gpt2: Path, tmp_path: Path) -> None:
    folder = changed(gpt2, tmp_path / "a", fields(eos_token_id=5))
    piece_renamed("<|endoftext|>", "<eos>")(folder)
    vocabulary = list(imported(folder, tmp_path).tokenizer.vocabulary)
    assert vocabulary[len(SPECIALS)] == "<eos 0>"


# names of weights


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "wrapped",
    ["_orig_mod.{}", "module.{}", "module._orig_mod.{}", "_orig_mod.module.{}", "transformer._orig_mod.{}"],
)
@pytest.mark.parametrize("pickled", [False, True])
def test_what_wrapped_the_model_is_left_out_of_the_names(
    wrapped: str, pickled: bool, gpt2: Path, tmp_path: Path
) -> None:
    folder = changed(gpt2, tmp_path / "a")
    inner = wrapped.startswith("transformer")
    tensors = {
        wrapped.format(name.removeprefix("transformer.") if inner else name): tensor.clone()
        for name, tensor in load_file(folder / WEIGHTS).items()
    }
    if pickled:
        (folder / WEIGHTS).unlink()
        torch.save(tensors, folder / "pytorch_model.bin")
    else:
        save_file(tensors, folder / WEIGHTS)
    assert logits(imported(folder, tmp_path), "We are") == logits(imported(gpt2, tmp_path / "b"), "We are")


@pytest.mark.sample(2)
@pytest.mark.parametrize("family", ["gpt2", "llama", "bart", "t5", "bert", "distilbert"])
def test_a_model_kept_as_the_field_of_another_module_is_imported(
    family: str, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    """As Lightning saves it: `model.` before all names, also where names begin so anyway."""
    folder = changed(originals(family), tmp_path / "a")
    save_file({f"model.{name}": tensor for name, tensor in load_file(folder / WEIGHTS).items()}, folder / WEIGHTS)
    own, sound = imported(folder, tmp_path), imported(originals(family), tmp_path / "b")
    pairs = zip(own.model.parameters(), sound.model.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


@pytest.mark.parametrize("family", ["gpt2", "bert", "t5"])
def test_rows_that_the_tokenizer_has_no_piece_for_stay(
    family: str, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    """A table is often made longer, to a multiple of 64."""
    folder = changed(originals(family), tmp_path / "a")
    size = json.loads((folder / "config.json").read_text())["vocab_size"]
    tensors = load_file(folder / WEIGHTS)
    for name, tensor in tensors.items():
        if size in tensor.shape:
            filling = tensor.new_zeros(512 - size, *tensor.shape[1:])
            tensors[name] = torch.cat([tensor, filling])
    save_file(tensors, folder / WEIGHTS)
    fields(vocab_size=512)(folder)
    tokenizer = imported(folder, tmp_path).tokenizer
    assert tokenizer.size - imported(originals(family), tmp_path / "b").tokenizer.size == 512 - size
    assert f"<unused {size}>" in tokenizer.vocabulary


def test_a_tensor_with_and_without_its_wrapper_is_refused(
    gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = changed(gpt2, tmp_path / "a")
    tensors = load_file(folder / WEIGHTS)
    name = next(iter(tensors))
    save_file(tensors | {f"module.{name}": tensors[name].clone()}, folder / WEIGHTS)
    assert main(["import", str(folder), "--out", str(tmp_path / "out")]) == 2
    assert name in capsys.readouterr().err


# examples


def cut_to(tokens: int) -> Callable[[Path], None]:
    """The positions behind so many are gone."""

    def change(folder: Path) -> None:
        fields(n_positions=tokens)(folder)
        tensors = load_file(folder / WEIGHTS)
        tensors["transformer.wpe.weight"] = tensors["transformer.wpe.weight"][:tokens].clone()
        save_file(tensors, folder / WEIGHTS)

    return change


@pytest.mark.parametrize("window", [4, 8, 16])
def test_the_example_fits_a_short_window(window: int, gpt2: Path, tmp_path: Path) -> None:
    checkpoint = imported(changed(gpt2, tmp_path / "a", cut_to(window)), tmp_path)
    for sentence in examples(tmp_path):
        assert len(checkpoint.tokenizer.encode(sentence)) <= window // 2


def test_a_window_that_no_sentence_fits_is_said(gpt2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = changed(gpt2, tmp_path / "a", cut_to(1))
    assert main(["import", str(folder), "--out", str(tmp_path / "out")]) == 2
    assert "--example" in capsys.readouterr().err


def letters(folder: Path) -> dict[str, int]:
    """A tokenizer of amino acids."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *ACIDS]
    inner = tokenizers.Tokenizer(models.WordLevel({piece: id_ for id_, piece in enumerate(pieces)}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Split(Regex(r"[A-Z]"), "isolated")]
    )
    inner.post_processor = tokenizers.processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    inner.add_special_tokens(pieces[:5])
    inner.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    return {"vocab_size": len(pieces), "pad_token_id": 0}


def word_pieces_of_letters(folder: Path) -> dict[str, int]:
    """The same as a list of pieces."""
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *ACIDS]
    said = {"tokenizer_class": "BertTokenizer", "do_lower_case": False}
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    (folder / "vocab.txt").write_text("\n".join(pieces))
    return {"vocab_size": len(pieces), "pad_token_id": 0}


def pairs_of_letters(folder: Path) -> dict[str, int]:
    """Bytes and frequent pairs of amino acids: English is spelled letter by letter."""
    inner = tokenizers.Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(
        vocab_size=290, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    inner.train_from_iterator(["MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVKALPDAQ"], trainer)
    inner.save(str(folder / "tokenizer.json"))
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "PreTrainedTokenizerFast"}))
    return {"vocab_size": inner.get_vocab_size()}


@pytest.mark.parametrize("tokenizer", [letters, word_pieces_of_letters, pairs_of_letters])
def test_a_decoder_of_proteins_gets_an_example_of_amino_acids(
    tokenizer: Callable[[Path], dict[str, int]], tmp_path: Path
) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    sizes = {"n_embd": 16, "n_head": 4, "n_layer": 2, "n_positions": 96}
    torch.manual_seed(0)
    transformers.GPT2LMHeadModel(transformers.GPT2Config(**sizes, **tokenizer(folder))).save_pretrained(folder)
    checkpoint = imported(folder, tmp_path)
    for sentence in examples(tmp_path):
        assert sentence.isupper()
        assert set(sentence) <= set(f"{ACIDS} ")
        assert len(checkpoint.tokenizer.pieces(sentence)) >= 3


def test_a_bert_of_proteins_gets_an_example_with_a_hidden_letter(tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 16, "intermediate_size": 24}
    config = transformers.BertConfig(**sizes, **letters(folder), max_position_embeddings=32)
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    checkpoint = imported(folder, tmp_path)
    for sentence in examples(tmp_path):
        assert checkpoint.tokenizer.encode(sentence).count(checkpoint.tokenizer.mask_id) == 1


def test_a_model_that_reads_words_keeps_the_usual_examples(gpt2: Path, tmp_path: Path) -> None:
    """The tests' tokenizer is trained on a few sentences; some of the usual ones are made of its words."""
    imported(gpt2, tmp_path)
    assert set(examples(tmp_path)) <= {"The capital of France is", "One, two, three, four,",
                                       "The cat sat on the mat and the dog sat on the"}  # fmt: skip


# heads


@pytest.mark.parametrize(
    ("model", "left_out"),
    [
        (transformers.BertForPreTraining, ["bert.pooler", "cls.seq_relationship"]),
        (transformers.BertForSequenceClassification, None),
        (transformers.BertModel, ["pooler"]),
    ],
)
def test_a_head_that_is_left_out_is_named_in_the_card(model: Any, left_out: list[str] | None, tmp_path: Path) -> None:
    folder = tmp_path / "a"
    folder.mkdir()
    sizes = {"num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 16, "intermediate_size": 24}
    config = transformers.BertConfig(**sizes, **letters(folder), max_position_embeddings=32)
    model(config).save_pretrained(folder)
    imported(folder, tmp_path)
    entry = Entry(tmp_path / "own")
    assert entry.card["imported"].get("left_out") == left_out
    assert ("Left out" in (entry.folder / "card.md").read_text(encoding="utf-8")) == bool(left_out)


# the first piece of a text


@pytest.mark.parametrize("family", ["gpt2", "bart", "roberta"])
def test_the_first_piece_of_a_text_goes_on_no_word(
    family: str, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    checkpoint = imported(originals(family), tmp_path)
    run = translate(checkpoint, "the cat is in the garden")
    tokenizer, ids = checkpoint.tokenizer, run.source or run.target
    at = next(at for at, id_ in enumerate(ids) if tokenizer.is_text(id_))
    tokens = run.trace.source_tokens or run.trace.target_tokens
    assert "the".startswith(tokens[at])
    assert tokenizer.tokens([ids[at]]) == (f"·{tokens[at]}",)  # by itself the piece still shows that it goes on a word
    if run.source and run.target:
        written = [token for token, id_ in zip(run.trace.output_tokens, run.ids, strict=True) if tokenizer.is_text(id_)]
        assert not written[0].startswith("·")
