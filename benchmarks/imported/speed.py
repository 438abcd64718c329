"""An imported model of opus-mt's size (74 million parameters) beside transformers itself, on one thread.

Weights are random: nothing here depends on what they say.
"""

import json
import logging
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.harness.timing import Row, medians, seconds
from model.analysis import logit_lens
from model.checkpoint import checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint
from model.compare import layer_cka
from model.decode.decoding_loop import run
from model.decode.recorded_pass import trace
from model.decode.translate import Translation
from model.edit.edit_effects import head_effects
from model.parts.key_values import LayerCache
from model.pretrained.converted import Fields
from model.pretrained.families import bart
from model.pretrained.tensors import Tensors
from model.tokenization.tokenizer import BOS, EOS, Tokenizer

VOCABULARY, LENGTH, STEPS, TOKENS = 58_101, 20, 30, 10
SIZES = {
    "vocab_size": VOCABULARY, "d_model": 512, "encoder_layers": 6, "decoder_layers": 6, "encoder_attention_heads": 8,
    "decoder_attention_heads": 8, "encoder_ffn_dim": 2048, "decoder_ffn_dim": 2048, "max_position_embeddings": 512,
    "activation_function": "swish", "scale_embedding": True, "pad_token_id": VOCABULARY - 1, "eos_token_id": 0,
    "decoder_start_token_id": VOCABULARY - 1, "forced_eos_token_id": None,
}  # fmt: skip
SOURCE = [*range(5, 5 + LENGTH - 1), EOS]
TARGET = [BOS, *range(9, 9 + LENGTH - 1)]


def imported() -> list[Row]:
    """Passes, decoding, effects, early logits, likeness of layers and loading."""
    import transformers  # late: it takes seconds, and other lines do not need it

    transformers.utils.logging.disable_progress_bar()
    logging.getLogger("transformers").setLevel(logging.ERROR)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with tempfile.TemporaryDirectory() as folder:
            theirs, ours = _models(Path(folder) / "theirs", Path(folder) / "ours")
            with torch.inference_mode():
                rows = [_passes(ours, theirs), _greedy(ours, theirs), _effects(ours, theirs), _early(ours, theirs)]
            return [*rows, _likeness(ours), _load(Path(folder))]
    finally:
        torch.set_num_threads(threads)


def _models(folder: Path, out: Path) -> tuple[Any, Checkpoint]:
    """A model of transformers, and the same converted and written as a checkpoint; its ids stay the original's."""
    import transformers

    torch.manual_seed(0)
    model = transformers.MarianMTModel(transformers.MarianConfig(**SIZES, attn_implementation="eager")).eval()
    model.save_pretrained(folder)
    conversion = bart.marian(Fields(json.loads((folder / "config.json").read_text()), {}), Tensors(folder))
    tokenizer = Tokenizer.characters(["ab"], ())
    ours = checkpoints.with_weights(conversion.checked, conversion.weights)
    checkpoints.save_model(out, ours, half=False)
    return model, Checkpoint("imported", ours, tokenizer)


def _passes(ours: Checkpoint, theirs: Any) -> Row:
    source, target = torch.tensor([SOURCE]), torch.tensor([TARGET])
    return Row(
        f"imported: traced pass, {LENGTH} + {LENGTH} tokens ÷ transformers' forward",
        *medians(
            lambda: seconds(lambda: trace(ours.model, ours.tokenizer, SOURCE, TARGET)),
            lambda: seconds(lambda: theirs(input_ids=source, decoder_input_ids=target, output_attentions=True)),
            15,
        ),
        Fraction(1),
    )


def _greedy(ours: Checkpoint, theirs: Any) -> Row:
    source = torch.tensor([SOURCE])

    def likeliest(step: int, logits: Tensor, caches: list[LayerCache]) -> Tensor:
        return logits.argmax(dim=-1, keepdim=True)

    length = {"min_new_tokens": STEPS, "max_new_tokens": STEPS}
    return Row(
        f"imported: greedy, {STEPS} tokens ÷ transformers' generate",
        *medians(
            lambda: seconds(lambda: run(ours.model, [SOURCE], STEPS, likeliest)),
            lambda: seconds(lambda: theirs.generate(source, num_beams=1, do_sample=False, **length)),
            5,
        ),
        Fraction(9, 10),
    )


def _effects(ours: Checkpoint, theirs: Any) -> Row:
    """Beside as many plain passes of transformers as there are heads: it has no way to change several heads at once."""
    target = TARGET[:TOKENS]
    recording = trace(ours.model, ours.tokenizer, SOURCE, target)
    translation = Translation("", "", "eos", tuple(SOURCE), tuple(target), recording, {}, ())
    places = [(kind, layer) for kind in recording.kinds for layer in range(6)]
    heads = 8 * len(places)
    read = {"input_ids": torch.tensor([SOURCE]), "decoder_input_ids": torch.tensor([target])}
    ours_, one = medians(
        lambda: seconds(lambda: [head_effects(ours, translation, *place) for place in places]),
        lambda: seconds(lambda: theirs(**read)),
        3,
    )
    return Row(f"imported: effect of {heads} heads, {TOKENS} tokens ÷ {heads} passes", ours_, heads * one, None)


def _early(ours: Checkpoint, theirs: Any) -> Row:
    """Beside transformers' output layer on each place, and a sort of each row."""
    values = trace(ours.model, ours.tokenizer, SOURCE, TARGET).values
    places = [torch.from_numpy(x) for x in logit_lens.early_depths(values, "decoder", True).values()]

    def sorted_() -> None:
        for x in places:
            theirs.lm_head(x).argsort(dim=-1, descending=True)

    return Row(
        "imported: early logits after every sublayer ÷ output layer and sort",
        *medians(
            lambda: seconds(lambda: logit_lens.early(ours.model, values, "decoder", True)),
            lambda: seconds(sorted_),
            3,
        ),
        None,
    )


def _likeness(ours: Checkpoint) -> Row:
    """Beside the formula for each pair of places, in double precision, on the same values."""
    rng = np.random.default_rng(0)
    read = [
        layer_cka.Read("", tuple(rng.integers(5, 5000, LENGTH).tolist()), (BOS, *rng.integers(5, 5000, 19).tolist()))
        for _ in range(layer_cka.TOKENS // LENGTH)
    ]
    streams = layer_cka.streams(ours, ("encoder",), read)["encoder"]

    def pairwise() -> None:
        for x in streams.values():
            for y in streams.values():
                a, b = (view - view.mean(axis=0) for view in (x.astype(np.float64), y.astype(np.float64)))
                np.linalg.norm(b.T @ a) ** 2 / (np.linalg.norm(a.T @ a) * np.linalg.norm(b.T @ b))

    return Row(
        "imported: CKA of 7 × 7 places, 1,000 tokens ÷ each pair alone",
        *medians(lambda: seconds(lambda: layer_cka.table(streams, streams)), lambda: seconds(pairwise), 3),
        None,
    )


def _load(folder: Path) -> Row:
    import transformers

    entry = Entry(folder / "ours")
    return Row(
        "imported: load ÷ transformers' from_pretrained",
        *medians(
            lambda: seconds(lambda: checkpoints.read_model(entry)),
            lambda: seconds(lambda: transformers.MarianMTModel.from_pretrained(folder / "theirs")),
            5,
        ),
        None,
    )
