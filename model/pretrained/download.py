"""Fetch a model's files by name from the Hugging Face hub. Only the command does this; the app never downloads."""

from __future__ import annotations

from pathlib import Path

from model.errors import InvalidInput
from model.pretrained import other_formats

_FILES = [
    "config.json",
    "adapter_config.json",
    "generation_config.json",
    "*.safetensors",
    "*.safetensors.index.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "*.spm",
    "spiece.model",
    "sentencepiece.bpe.model",
    "tokenizer.model",
    "vocab.*",
    "target_vocab.json",
    "merges.txt",
    "README.md",
]
_PICKLED = ["pytorch_model*.bin", "pytorch_model.bin.index.json"]


def fetch(name: str, revision: str | None) -> tuple[Path, str]:
    """The folder of the downloaded files, and the revision that they are of.

    Weights in safetensors are preferred; pickles are fetched only where there are no others. Raises `InvalidInput`
    if `huggingface_hub` is not installed, the hub cannot be reached, or has no such model.
    """
    try:
        import huggingface_hub
        from huggingface_hub import errors
        from huggingface_hub.utils import logging
    except ImportError:
        raise InvalidInput("import_hub", name=name) from None
    logging.set_verbosity_error()  # not each try; what fails in the end is one sentence
    try:
        files = huggingface_hub.list_repo_files(name, revision=revision)
        safe = any(file.endswith(".safetensors") for file in files)
        gguf = next((file for file in files if file.endswith(".gguf")), None)
        if gguf and not safe:
            raise InvalidInput("import_gguf", **other_formats.gguf(name, gguf))
        patterns = _FILES if safe else [*_FILES, *_PICKLED]
        folder = Path(huggingface_hub.snapshot_download(name, revision=revision, allow_patterns=patterns))
    except (errors.RepositoryNotFoundError, errors.RevisionNotFoundError, errors.HFValidationError):
        raise InvalidInput("import_unknown", name=name) from None
    except InvalidInput:
        raise
    except Exception as error:  # httpx and others, whichever the library uses
        raise InvalidInput("import_network", name=name, problem=type(error).__name__) from None
    return folder, folder.name
