"""Folders that hold a model in a form that is not imported: what it is, and the command that makes one that is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from model.errors import InvalidInput
from model.pretrained.folder import CONFIG, read_json

ADAPTER = "adapter_config.json"
_FOREIGN = (  # files of weights, by pattern: what wrote them, and the argument with which transformers reads them
    ("tf_model*.h5", "TensorFlow", "from_tf=True"),
    ("flax_model*.msgpack", "Flax", "from_flax=True"),
)
_ADAPTED = {"SEQ_2_SEQ_LM": "AutoPeftModelForSeq2SeqLM", "CAUSAL_LM": "AutoPeftModelForCausalLM"}


def refuse(path: Path) -> None:
    """Raise `InvalidInput` for an adapter, quantised weights, or files of another library; the rest passes."""
    if path.is_file() and path.suffix == ".gguf":
        raise InvalidInput("import_gguf", **gguf(str(path.parent), path.name))
    if not path.is_dir():
        return
    if (path / ADAPTER).is_file():
        raise InvalidInput("import_adapter", **_adapter(path))
    own = _names(path, "*.safetensors", "*.bin")
    if (files := _names(path, "*.gguf")) and not own:
        raise InvalidInput("import_gguf", **gguf(str(path), files[0]))
    if not (path / CONFIG).is_file():
        return
    fields = read_json(path / CONFIG)
    architecture = str((fields.get("architectures") or [""])[0])
    for pattern, library, argument in _FOREIGN:
        if (files := _names(path, pattern)) and not own:
            command = _converting(str(path), re.sub("^(TF|Flax)", "", architecture), argument)
            raise InvalidInput("import_foreign", file=files[0], library=library, command=command)
    if isinstance(quantised := fields.get("quantization_config"), dict):
        command = _converting(str(path), architecture, "", ".dequantize()")
        raise InvalidInput("import_quantised", kind=_quantisation(quantised), command=command)


def gguf(source: str, file: str) -> dict[str, str]:
    """Name what the error `import_gguf` says of a file of llama.cpp; `source` is its folder or its name on the hub."""
    return {"file": file, "command": _converting(source, "", f"gguf_file={file!r}")}


def _names(path: Path, *patterns: str) -> list[str]:
    return sorted(file.name for pattern in patterns for file in path.glob(pattern))


def _adapter(path: Path) -> dict[str, str]:
    """Say what an adapter is made for, and the command that adds it to the weights of its model."""
    fields = read_json(path / ADAPTER)
    loader = _ADAPTED.get(str(fields.get("task_type")), "AutoPeftModel")
    merged = f"{loader}.from_pretrained({str(path)!r}).merge_and_unload().save_pretrained({_full(str(path))!r})"
    base = str(fields.get("base_model_name_or_path") or "?")
    tokenizer = f"AutoTokenizer.from_pretrained({base!r}).save_pretrained({_full(str(path))!r})"
    program = f"from peft import {loader}; from transformers import AutoTokenizer; {merged}; {tokenizer}"
    return {"folder": str(path), "base": base, "command": _python(program)}


def _quantisation(fields: dict) -> str:
    """`8-bit`, `4-bit`, or the name of the method."""
    bits = 8 if fields.get("load_in_8bit") else 4 if fields.get("load_in_4bit") else fields.get("bits")
    return f"{bits}-bit" if bits else str(fields.get("quant_method") or "quantised")


def _converting(source: str, architecture: str, argument: str, then: str = "") -> str:
    """The command that reads a folder with transformers and saves the model in full."""
    loader = architecture if architecture.isidentifier() else "AutoModelForCausalLM"
    arguments = ", ".join([repr(source), *([argument] if argument else [])])
    model = f"{loader}.from_pretrained({arguments}){then}.save_pretrained({_full(source)!r})"
    read = arguments if argument.startswith("gguf_file") else repr(source)
    tokenizer = f"AutoTokenizer.from_pretrained({read}).save_pretrained({_full(source)!r})"
    return _python(f"from transformers import {loader}, AutoTokenizer; {model}; {tokenizer}")


def _full(source: str) -> str:
    """The folder that a command writes: beside the folder, or here for a name on the hub."""
    return f"{source if Path(source).is_dir() else Path(source).name}-full"


def _python(program: str) -> str:
    plain = not re.search(r'["$`\\!]', program)
    return f'python -c "{program}"' if plain else f"python -c {shlex.quote(program)}"
