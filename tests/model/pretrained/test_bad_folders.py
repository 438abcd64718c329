"""Folders that cannot be imported: a sentence that names what is wrong, and nothing left behind."""

from __future__ import annotations

import json
import logging
import pickle
import shlex
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from model.__main__ import main
from model.errors import InvalidInput
from model.pretrained import download, importing
from model.pretrained.card import Origin
from model.pretrained.converted import Fields
from model.pretrained.families import rotary
from model.pretrained.folder import Folder
from tests.model.pretrained.small import build

WEIGHTS = "model.safetensors"


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sound") / "gpt2"
    build("gpt2", folder)
    return folder


def _config(**fields: object) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(config | fields))

    return change


def _weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        tensors = load_file(folder / WEIGHTS)
        change(tensors)
        save_file(tensors, folder / WEIGHTS)

    return changed


def _pickled(folder: Path) -> None:
    (folder / WEIGHTS).unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps({"a": print}, protocol=2))


def _renamed(name: str) -> Callable[[Path], None]:
    return lambda folder: (folder / WEIGHTS).rename(folder / name)  # type: ignore[return-value]


def _adapter(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / WEIGHTS).rename(folder / "adapter_model.safetensors")
    fields = {"peft_type": "LORA", "task_type": "CAUSAL_LM", "base_model_name_or_path": "gpt2"}
    (folder / "adapter_config.json").write_text(json.dumps(fields))


def _choices(folder: Path) -> None:
    config = transformers.BertConfig(vocab_size=30, hidden_size=8, num_hidden_layers=1, num_attention_heads=2)
    transformers.BertForMultipleChoice(config).save_pretrained(folder)


def _another_tokenizer(folder: Path) -> None:
    fields = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    fields["model"]["vocab"]["zzz"] = 5000
    (folder / "tokenizer.json").write_text(json.dumps(fields))


def _pointer(file: str) -> Callable[[Path], None]:
    """What a clone without Git LFS holds."""
    text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 548105171\n"
    return lambda folder: (folder / file).write_text(text)  # type: ignore[return-value]


def _trained(folder: Path) -> None:
    """As the Trainer of transformers leaves it when its last step was not saved."""
    (folder / "checkpoint-500").mkdir()
    for file in ("config.json", WEIGHTS):
        (folder / "checkpoint-500" / file).write_bytes((folder / file).read_bytes())
    (folder / WEIGHTS).unlink()


def _trained_only(folder: Path) -> None:
    """As the Trainer leaves it when nothing was saved after training."""
    for step in ("500", "1000"):
        (folder / f"checkpoint-{step}").mkdir()
        (folder / f"checkpoint-{step}/config.json").write_bytes((folder / "config.json").read_bytes())
    (folder / "config.json").unlink()


BAD = {
    "pointer to weights": ("import_pointer", _pointer(WEIGHTS)),
    "pointer to a tokenizer": ("import_pointer", _pointer("tokenizer.json")),
    "weights in a folder below": ("import_below", _trained),
    "all in a folder below": ("import_below", _trained_only),
    "no config": ("import_config", lambda folder: (folder / "config.json").unlink()),
    "no JSON": ("import_json", lambda folder: (folder / "config.json").write_text("{")),
    "family": ("import_family", _config(model_type="mamba")),
    "code": ("import_code", _config(auto_map={"AutoModel": "own.py"})),
    "activation": ("import_field", _config(activation_function="tanh")),
    "scaling": ("import_field", _config(scale_attn_by_inverse_layer_idx=True)),
    "number": ("import_field", _config(n_layer="two")),
    "no weights": ("import_weights", lambda folder: (folder / WEIGHTS).unlink()),
    "no safetensors": ("import_format", lambda folder: (folder / WEIGHTS).write_bytes(b"GGUF")),
    "pickle": ("import_pickle", _pickled),
    "missing": ("import_missing", _weights(lambda tensors: tensors.pop("transformer.h.1.ln_2.bias"))),
    "extra": ("import_extra", _weights(lambda tensors: tensors.update(adapter=torch.zeros(2)))),
    "shape": ("import_shape", _weights(lambda t: t.update({"transformer.ln_f.bias": torch.zeros(3)}))),
    "NaN": ("import_values", _weights(lambda t: t["transformer.wte.weight"].fill_(float("nan")))),
    "overflow": ("import_overflow", _weights(lambda t: t["transformer.wte.weight"].fill_(3e38))),
    "8-bit": ("import_quantised", _config(quantization_config={"load_in_8bit": True, "quant_method": "bitsandbytes"})),
    "GPTQ": ("import_quantised", _config(quantization_config={"quant_method": "gptq", "bits": 4})),
    "TensorFlow": ("import_foreign", _renamed("tf_model.h5")),
    "Flax": ("import_foreign", _renamed("flax_model.msgpack")),
    "GGUF": ("import_gguf", _renamed("model.Q4_0.gguf")),
    "adapter": ("import_adapter", _adapter),
    "several choices": ("import_choices", _choices),
    "no tokenizer": ("import_tokenizer", lambda folder: (folder / "tokenizer.json").unlink()),
    "other tokenizer": ("import_vocabulary", _another_tokenizer),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_folder_is_refused_and_nothing_is_left(name: str, sound: Path, tmp_path: Path) -> None:
    code, spoil = BAD[name]
    folder, out = tmp_path / "bad", tmp_path / "out"
    folder.mkdir()
    for file in sound.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    spoil(folder)
    with pytest.raises(InvalidInput) as refused:
        importing.import_folder(folder, out, "bad", Origin("bad"))
    assert refused.value.code == code
    assert not out.exists() or list(out.iterdir()) == []


ODD = {
    "llama": {
        "num_key_value_heads": "2", "head_dim": 8.5, "rms_norm_eps": [1], "hidden_act": ["silu"], "sliding_window": "3",
        "rope_scaling": "linear", "tie_word_embeddings": "yes", "attention_bias": 1, "model_type": ["llama"],
    },
    "smollm3": {"no_rope_layer_interval": 0, "no_rope_layers": "all"},
    "mistral-window": {"sliding_window": "3", "layer_types": ["full_attention", "full_attention"]},
    "bert-labels": {"id2label": {"a": "bad", "b": "good", "c": "?"}, "type_vocab_size": "2", "architectures": [None]},
    "gpt-neo": {"attention_layers": 5, "attention_types": "global"},
    "t5": {"n_positions": "x", "feed_forward_proj": 3, "relative_attention_num_buckets": 0, "dropout_rate": "a"},
}  # fmt: skip


@pytest.mark.parametrize(("family", "field", "value"), [(f, *field) for f, odd in ODD.items() for field in odd.items()])
def test_a_field_of_another_kind_is_one_sentence_or_nothing(
    family: str, field: str, value: object, originals: Callable[[str], Path], tmp_path: Path
) -> None:
    """No exception but ours; a field that the family does not read may be anything."""
    folder = tmp_path / "odd"
    folder.mkdir()
    for file in originals(family).iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    _config(**{field: value})(folder)
    with suppress(InvalidInput):
        importing.convert(Folder(folder))


@pytest.mark.parametrize("name", ["8-bit", "TensorFlow", "GGUF", "adapter"])
def test_the_command_for_another_format_is_a_program(
    name: str, sound: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for file in sound.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    BAD[name][1](folder)
    assert main(["import", str(folder), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    start = said.index("python -c ")
    program = shlex.split(said[start : said.index('"', start + len('python -c "')) + 1])[2]
    compile(program, "command", "exec")
    assert f"{folder}-full" in program


def test_a_file_of_llama_cpp_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.gguf").write_bytes(b"GGUF")
    assert main(["import", str(tmp_path / "a.gguf"), "--out", str(tmp_path / "out")]) == 2
    assert "gguf_file='a.gguf'" in capsys.readouterr().err


def test_a_full_disk_is_named_and_leaves_nothing(sound: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("model.checkpoint.checkpoints.save_file", full)
    with pytest.raises(InvalidInput) as refused:
        importing.import_folder(sound, tmp_path / "out", "full", Origin("full"))
    assert refused.value.code == "import_space"
    assert list((tmp_path / "out").iterdir()) == []


def test_a_part_of_a_head_that_makes_no_pairs_is_refused_with_both_numbers() -> None:
    fields = Fields({"rotary_pct": 0.25}, {})
    with pytest.raises(InvalidInput, match=r"rotates 3 of the 12 numbers of each head"):
        rotary.positions(fields, 12, base=("rotary_emb_base", 1e4), share=("rotary_pct", 1.0))


def test_a_name_that_is_taken_or_impossible_is_refused(sound: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    for name, code in (("taken", "import_exists"), ("../up", "import_name"), ("", "import_name")):
        with pytest.raises(InvalidInput) as refused:
            importing.import_folder(sound, tmp_path, name, Origin("x"))
        assert refused.value.code == code


def test_a_model_that_cannot_be_downloaded_is_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """No network in a test: what the library raises then becomes one sentence."""
    import huggingface_hub

    def unreachable(*_: object, **__: object) -> None:
        logging.getLogger("huggingface_hub.utils._http").warning("Retrying in 1s [Retry 1/5].")
        raise ConnectionError("nobody there")

    monkeypatch.setattr(huggingface_hub, "list_repo_files", unreachable)
    with pytest.raises(InvalidInput) as refused:
        download.fetch("Helsinki-NLP/opus-mt-de-en", None)
    assert refused.value.code == "import_network"
    assert not caplog.records
