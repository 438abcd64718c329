"""Load and save checkpoints: a folder with config, tokenizer and weights (safetensors), checked before it is used."""

import copy
import json
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from model import presets
from model.checkpoint.catalogue import Entry, InLanguages, Untrained, entry_of, load_tokenizer
from model.config import TransformerConfig
from model.device import placed
from model.errors import InvalidInput
from model.initial_weights import drawn_from, shapes_only
from model.presets import Preset
from model.tokenization.tokenizer import Tokenizer
from model.transformer import Transformer


@dataclass(frozen=True)
class Checkpoint:
    """A loaded checkpoint. Shared by all sessions: read-only, in eval mode."""

    name: str
    model: Transformer
    tokenizer: Tokenizer
    trained: bool = True


def save(folder: Path, model: Transformer, tokenizer: Tokenizer) -> None:
    """Write config, tokenizer and weights."""
    save_model(folder, model)
    tokenizer.save(folder)


def save_model(folder: Path, model: Transformer, *, half: bool = True) -> None:
    """Write config and weights, the latter in half or single precision."""
    folder.mkdir(parents=True, exist_ok=True)
    config = asdict(model.config)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    # named_parameters gives a shared table once
    kind = torch.half if half else torch.float
    weights = {name: value.detach().to(kind).cpu().contiguous() for name, value in model.named_parameters()}
    save_file(weights, folder / "model.safetensors")
    (folder / "model.safetensors").chmod(0o644)  # the library lets nobody else read it


def load(entry: Entry) -> Checkpoint:
    """Load a checkpoint. Raises `InvalidInput` if files, names, types or shapes do not fit the config."""
    entry.check_files()
    if isinstance(entry, Untrained):
        return untrained(presets.find(entry.preset), entry.seed, load_tokenizer(entry))
    if isinstance(entry, InLanguages):
        return told(load_files(entry_of(entry.folder)), entry)
    return load_files(entry)


def told(checkpoint: Checkpoint, entry: InLanguages) -> Checkpoint:
    """The same weights, told which language to read and which to write."""
    model = copy.copy(checkpoint.model)
    model.config = entry.config
    return Checkpoint(entry.name, model, load_tokenizer(entry))


def load_files(entry: Entry) -> Checkpoint:
    """Load the model and its tokenizer, which have to have as many ids."""
    config = entry.config
    tokenizer = load_tokenizer(entry)
    for size in (config.source_vocabulary, config.target_vocabulary):
        if size not in (0, tokenizer.size):
            raise InvalidInput("checkpoint_vocabulary", name=entry.name, found=tokenizer.size, needed=size)
    return Checkpoint(entry.name, load_model(entry), tokenizer)


def load_model(entry: Entry) -> Transformer:
    """Load the model without a tokenizer, with the same checks. A model for numbers has no tokenizer."""
    entry.check_files()
    return read_model(entry)


def read_model(entry: Entry) -> Transformer:
    """The model of a folder that has a config and weights at least."""
    config = entry.config
    with shapes_only():
        expected = {name: tuple(value.shape) for name, value in Transformer(config).named_parameters()}
    return with_weights(config, _weights(entry, expected))


def with_weights(config: TransformerConfig, weights: dict[str, torch.Tensor]) -> Transformer:
    """A model in eval mode that holds these tensors, on the CPU these very ones; a shared table is given once."""
    with shapes_only():  # no time is spent on random weights
        model = Transformer(config)
    model.load_state_dict(weights, strict=False, assign=True)
    model.tie()
    model.fix_positions()
    return placed(model).eval().requires_grad_(False)


def random_model(config: TransformerConfig, seed: int) -> Transformer:
    """An untrained model in eval mode, with the weights of a seed. torch's global random state stays as it was."""
    with drawn_from(seed):
        model = Transformer(config)  # drawn on the CPU: a seed gives the same weights on every device
    return placed(model).eval().requires_grad_(False)


def untrained(preset: Preset, seed: int, tokenizer: Tokenizer) -> Checkpoint:
    """A preset with random weights, and with the vocabulary of a tokenizer."""
    config = presets.with_vocabulary(preset.config, tokenizer.size)
    return Checkpoint(preset.name, random_model(config, seed), tokenizer, trained=False)


def _weights(entry: Entry, expected: dict[str, tuple[int, ...]]) -> dict[str, torch.Tensor]:
    path = entry.folder / "model.safetensors"
    try:
        with safe_open(path, framework="pt") as file:
            headers = {name: file.get_slice(name) for name in file.keys()}  # noqa: SIM118 - not a dict
            for name in sorted(expected.keys() - headers.keys()):
                raise InvalidInput("checkpoint_missing", name=entry.name, tensor=name)
            for name, header in headers.items():
                _check_tensor(entry.name, name, header, expected)
            weights = {name: file.get_tensor(name).float() for name in expected}
    except SafetensorError:
        raise InvalidInput("checkpoint_format", name=entry.name) from None
    for name, value in weights.items():
        if not value.isfinite().all():
            raise InvalidInput("checkpoint_values", name=entry.name, tensor=name)
    return weights


def _check_tensor(checkpoint: str, name: str, header, expected: dict[str, tuple[int, ...]]) -> None:
    if name not in expected:
        raise InvalidInput("checkpoint_extra", name=checkpoint, tensor=name)
    if tuple(header.get_shape()) != expected[name]:
        raise InvalidInput(
            "checkpoint_shape", name=checkpoint, tensor=name, found=tuple(header.get_shape()), needed=expected[name]
        )
    if header.get_dtype() not in ("F16", "F32"):
        raise InvalidInput("checkpoint_dtype", name=checkpoint, tensor=name, found=header.get_dtype())
