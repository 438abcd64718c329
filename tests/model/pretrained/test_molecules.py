"""A real encoder-decoder from elsewhere, on demand: annalog (MIT) rewrites molecules, with weights of its own format.

`pip install --no-deps annalog`, then `pytest -m full tests/model/pretrained`. Its vocabulary is a pickle, which is
read as a list of operations and never executed.
"""

from __future__ import annotations

import importlib
import importlib.util
import pickletools
import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

from model import masks
from model.checkpoint.checkpoints import with_weights
from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.decode.recorded_pass import trace
from model.tokenization.tokenizer import BOS, EOS, PAD, SPECIALS, Tokenizer

pytestmark = pytest.mark.full
ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"
THEIRS = ("<pad>", "<sos>", "<eos>", "<unk>")  # in the order of ours
NAMES = (
    (r"^(encoder|decoder)\.pos_embedding\.weight", r"position_tables.\1"),
    (r"^encoder\.tok_embedding", "source_embedding"),
    (r"^decoder\.tok_embedding", "target_embedding"),
    (r"^decoder\.fc_out", "output"),
    (r"\.layers\.", "."),
    (r"encoder_attention", "cross_attention"),
    (r"\.fc_o\.", ".output."),
    (r"\.fc_([qkv])\.", r".\1."),
    (r"positionwise_feedforward\.fc_1", "feed_forward.hidden"),
    (r"positionwise_feedforward\.fc_2", "feed_forward.output"),
    (r"self_attn_layer_norm", "residuals.0.norm"),
    (r"enc_attn_layer_norm", "residuals.1.norm"),
    (r"^(encoder\.\d+\.)ff_layer_norm", r"\1residuals.1.norm"),
    (r"^(decoder\.\d+\.)ff_layer_norm", r"\1residuals.2.norm"),
)


def test_molecules_are_rewritten_as_by_the_original() -> None:
    spec = importlib.util.find_spec("annalog")
    if spec is None or spec.origin is None:
        pytest.skip("pip install --no-deps annalog")
    folder = Path(spec.origin).parent
    weights = torch.load(folder / "ckpt_and_vocab" / "Lev_extended.pt", weights_only=True, map_location="cpu")
    tokens = _vocabulary(folder / "ckpt_and_vocab" / "stereo_experiment_vocab_ttf.pkl")
    order = [tokens.index(name) for name in (*THEIRS, *(token for token in tokens if token not in (*THEIRS,)))]
    renamed = {_renamed(name): value for name, value in weights.items()}
    for name in ("source_embedding.weight", "target_embedding.weight", "output.weight", "output.bias"):
        renamed[name] = renamed[name][order]
    width, heads = renamed["source_embedding.weight"].size(1), 8
    config = TransformerConfig(
        source_vocabulary=len(tokens), target_vocabulary=len(tokens), d_model=width, heads=heads, encoder_layers=3,
        decoder_layers=3, d_ff=renamed["encoder.0.feed_forward.hidden.weight"].size(0), position="learned",
        output_bias=True, max_length=renamed["position_tables.encoder"].size(0),
    )  # fmt: skip
    model = with_weights(config, renamed)
    assert not set(renamed) ^ {name for name, _ in model.named_parameters()}

    ours = {token: n for n, token in enumerate([*SPECIALS, *(tokens[n] for n in order[4:])])}
    ids = [BOS, *(ours[token] for token in re.findall(r"Cl|Br|\[[^]]+\]|.", ASPIRIN)), EOS]
    [written] = greedy(model, [ids], 60)
    assert list(written.ids) == ids[1:]  # letter by letter
    recorded = trace(model, Tokenizer.characters(["C"], ()), ids, ids[:-1])
    _as_the_original(folder, weights, [order[n] for n in ids], recorded.values)
    padded, mask = masks.padded([ids, [*ids[:9], EOS]])
    with torch.inference_mode():
        both = model(padded, torch.tensor([ids[:9], ids[:9]]), mask)
        alone = model(torch.tensor([[*ids[:9], EOS]]), torch.tensor([ids[:9]]), torch.ones(1, 10, dtype=torch.bool))
    assert (padded[1] == PAD).any()
    np.testing.assert_allclose(both[1], alone[0], atol=1e-4)


def _vocabulary(path: Path) -> list[str]:
    """The strings of the list `itos`: those between its name and the next operation that ends a list."""
    tokens: list[str] = []
    reading = False
    for operation, value, _ in pickletools.genops(path.read_bytes()):
        if reading and operation.name == "APPENDS":
            return tokens
        if reading and isinstance(value, str):
            tokens.append(value)
        reading = reading or value == "itos"
    raise AssertionError("no list of tokens")


def _renamed(name: str) -> str:
    for pattern, ours in NAMES:
        name = re.sub(pattern, ours, name)
    return name


def _as_the_original(folder: Path, weights: dict, ids: list[int], values: dict[str, np.ndarray]) -> None:
    """Logits and cross-attention beside the package's own modules, which are plain torch."""
    package = ModuleType("annalog_files")  # without the package's own head, which asks for a chemistry library
    package.__path__ = [str(folder / "model_files")]
    sys.modules[package.__name__] = package
    modules = importlib.import_module(f"{package.__name__}.seq2seq_attention")
    width = weights["encoder.layers.0.positionwise_feedforward.fc_1.weight"].size(0)
    positions = weights["encoder.pos_embedding.weight"].size(0)
    sizes = weights["encoder.tok_embedding.weight"].shape
    encoder, decoder = (
        getattr(modules, side)(*sizes, 3, 8, width, 0.0, "cpu", positions).eval() for side in ("Encoder", "Decoder")
    )
    for part, side in ((encoder, "encoder."), (decoder, "decoder.")):
        part.load_state_dict({name.removeprefix(side): each for name, each in weights.items() if name.startswith(side)})
    source, target = torch.tensor([ids]), torch.tensor([ids[:-1]])
    with torch.inference_mode():
        every = torch.ones(1, 1, 1, len(ids), dtype=torch.bool)
        past = torch.ones(len(ids) - 1, len(ids) - 1).tril().bool()[None, None]
        logits, attention = decoder(target, encoder(source, every), past, every)
    np.testing.assert_allclose(values["decoder.2.cross_attention.weights"], attention[0], atol=1e-4)
    assert values["logits"].shape == logits[0].shape
    np.testing.assert_allclose(np.sort(values["logits"]), np.sort(logits[0].numpy()), atol=1e-3)  # in another order
    assert attention[0].max() > 0.99
