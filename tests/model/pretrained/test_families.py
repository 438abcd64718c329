"""Each family, imported, against transformers itself."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from model import masks
from model.analysis.cosine import cosine
from model.analysis.softmax import log_probabilities
from model.checkpoint.checkpoints import Checkpoint
from model.decode.greedy import greedy
from model.decode.recorded_pass import trace
from model.decode.translate import translate
from model.edit import edits, recorded_names
from model.edit.edit_effects import head_effects
from model.edit.edited_pass import compose
from model.pretrained import importing
from model.pretrained.families import families
from model.pretrained.folder import Folder
from model.tokenization.tokenizer import BOS, EOS, PAD, SPECIALS
from model.trace import ATTENTION_KINDS, path
from tests.model.pretrained.small import FAMILIES, build
from tests.model.pretrained.strings import STRINGS
from tests.samples import ROOT

SENTENCES = ("The dog sleeps on the sofa.", "Wir gehen heute ins Kino, und die Katze bleibt im Garten.")


SLOW = {  # tokenizers that the library `tokenizers` does not read
    "marian": transformers.MarianTokenizer,
    "marian-apart": transformers.MarianTokenizer,
    "m2m100": transformers.M2M100Tokenizer,
}


@dataclass(frozen=True)
class Case:
    """A model of transformers, and the same imported; `theirs` is the original id of each of our ids."""

    name: str
    original: Any
    tokenizer: Any
    ours: Checkpoint
    theirs: torch.Tensor
    theirs_of_target: torch.Tensor  # the same, but for two vocabularies
    ends: tuple[int, ...]  # the original's ids behind a sentence

    @property
    def kind(self) -> str:
        return self.ours.model.config.architecture

    def read(self, text: str) -> tuple[list[int], torch.Tensor]:
        """A text as both tokenizers give it to their models; a decoder alone reads no end of it."""
        theirs = self.tokenizer(text)["input_ids"]
        ends = list(self.ends) if self.kind == "decoder" else []
        if ends and theirs[-len(ends) :] == ends:
            theirs = theirs[: -len(ends)]
        return self.ours.tokenizer.encode(text), torch.tensor([theirs])


@pytest.fixture(scope="module", params=FAMILIES)
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Case:
    folder = tmp_path_factory.mktemp("original") / request.param
    original = build(request.param, folder)
    imported = importing.convert(Folder(folder))
    ours = imported.checkpoint
    if request.param in SLOW:
        tokenizer = SLOW[request.param].from_pretrained(folder)
    else:
        tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    vocabulary = tokenizer.get_vocab()
    config = original.config
    specials = [config.pad_token_id, None, config.eos_token_id, None]
    if config.model_type in ("bert", "distilbert", "albert", "electra"):
        specials = [0, 3, 4, 2]
    elif config.model_type in ("roberta", "llama", "mistral", "smollm3", "gemma", "phi3", "bart"):
        specials[BOS] = config.bos_token_id
    if config.is_encoder_decoder:
        specials[BOS] = config.decoder_start_token_id
    stand_in = specials[EOS] if specials[BOS] is None else specials[BOS]
    pieces = list(ours.tokenizer.vocabulary)
    theirs = [stand_in if id_ is None else id_ for id_ in specials]
    for name in ("<unk>", "[UNK]"):
        theirs[3] = vocabulary.get(name, theirs[3])
    if request.param == "m2m100":
        vocabulary = tokenizer.encoder | tokenizer.lang_token_to_id
    sides = [vocabulary, tokenizer.target_encoder if request.param == "marian-apart" else vocabulary]
    ids = [torch.tensor([*theirs, *(_id(piece, side) for piece in pieces[len(SPECIALS) :])]) for side in sides]
    return Case(request.param, original, tokenizer, ours, *ids, imported.numbering.ends)


def _id(piece: str, vocabulary: dict[str, int]) -> int:
    """Find what the original reads for a piece: a side that lacks it has `<unk>` there."""
    return int(piece[8:-1]) if piece.startswith("<unused ") else vocabulary.get(piece, vocabulary.get("<unk>", -1))


def close(ours: np.ndarray, theirs: np.ndarray) -> None:
    """Equal to 1e-4 of the range, a number alone to 1e-4 of itself."""
    assert ours.shape == theirs.shape
    span = float(theirs.max() - theirs.min()) or float(np.abs(theirs).max())
    assert np.abs(ours - theirs).max() <= 1e-4 * span


def their_labels(out: Any) -> np.ndarray:
    """Logits of labels, (S or 1, labels); of an answer those of its start and its end."""
    if "start_logits" in out:
        return np.stack([out.start_logits[0].numpy(), out.end_logits[0].numpy()], axis=-1)
    return out.logits[0].numpy() if out.logits.dim() == 3 else out.logits.numpy()


def test_special_tokens_keep_the_names_of_the_original(case: Case) -> None:
    """Around a sentence, and the one with which a decoder begins."""
    ids, theirs = case.read(SENTENCES[0])
    pairs = list(zip(ids[:-1] if case.kind == "decoder" else ids, theirs[0].tolist(), strict=True))
    if case.kind == "encoder-decoder":
        pairs.append((BOS, case.original.config.decoder_start_token_id))
    read = [(own, name) for own, name in pairs if own < len(SPECIALS)]
    names = case.tokenizer.convert_ids_to_tokens([name for _, name in read])
    assert [case.ours.tokenizer.tokens([own])[0] for own, _ in read] == names
    assert case.ours.tokenizer.decode([own for own, _ in read]) == ""


def written_by(case: Case) -> torch.Tensor:
    """Our ids that are rows of the original's, so that their logits can be held against each other."""
    own, theirs = torch.arange(len(case.theirs)), case.theirs_of_target
    new = [id_ for id_ in own.tolist() if (theirs == theirs[id_]).sum() > 1]
    banned = [PAD] if case.name.startswith("marian") else []
    return torch.tensor([id_ for id_ in own.tolist() if id_ not in (*new, *banned)])


def passes(case: Case) -> tuple[Any, dict[str, np.ndarray]]:
    """One pass over the same tokens by both."""
    ids, theirs = case.read(SENTENCES[0])
    if case.kind == "encoder":
        target: list[int] = []
        given = {"input_ids": theirs}
    elif case.kind == "decoder":
        ids, target = [], ids[:-1]
        given = {"input_ids": theirs}
    else:
        target = [BOS, *case.ours.tokenizer.target_pieces(SENTENCES[1])]
        given = {"input_ids": theirs, "decoder_input_ids": case.theirs_of_target[target][None]}
    with torch.inference_mode():
        out = case.original(**given, output_attentions=True, output_hidden_states=True)
    return out, trace(case.ours.model, case.ours.tokenizer, ids, target).values


def test_ids_are_the_original_s(case: Case) -> None:
    for text in STRINGS:
        ours, theirs = case.read(text)
        if case.kind == "decoder":
            assert ours.pop() == EOS
        assert case.theirs[ours].tolist() == theirs[0].tolist(), text


def test_logits_and_attention_agree(case: Case) -> None:
    out, values = passes(case)
    if "logits" not in values:
        close(values["encoder.output"], out.hidden_states[-1][0].numpy())
        if case.ours.model.config.labels:
            close(values["labels"], their_labels(out))
    else:
        own = written_by(case)
        close(values["logits"][:, own], out.logits[0][:, case.theirs_of_target[own]].numpy())
    own_attention = out.get("attentions")
    attentions = {
        "encoder": own_attention if case.kind == "encoder" else out.get("encoder_attentions"),
        "decoder": own_attention if case.kind == "decoder" else out.get("decoder_attentions"),
        "cross": out.get("cross_attentions"),
    }
    seen = 0
    for kind in ATTENTION_KINDS:
        for layer, weights in enumerate(attentions[kind] or ()):
            close(values[path(kind, layer) + ".weights"], weights[0].numpy())
            seen += 1
    assert seen == {"encoder": 2, "decoder": 2, "encoder-decoder": 6}[case.kind]


@pytest.mark.parametrize("pair", [("Where is the dog?", "The dog sleeps on the sofa."), ("15", "Kino?!")])
def test_a_pair_is_read_as_the_original_reads_it(case: Case, pair: tuple[str, str]) -> None:
    """Ids, segments, attention, output and labels."""
    if not case.ours.tokenizer.separator:
        pytest.skip("pairs are read by encoders with a separator")
    theirs = case.tokenizer(*pair, return_tensors="pt", return_token_type_ids=True)
    ids = case.ours.tokenizer.encode(f" {case.ours.tokenizer.separator} ".join(pair))
    assert case.theirs[ids].tolist() == theirs["input_ids"][0].tolist()
    model = case.ours.model
    if model.config.segments:
        assert model.segment(torch.tensor([ids])).tolist() == theirs["token_type_ids"].tolist()
        given = {"token_type_ids": theirs["token_type_ids"]}
    else:
        given = {}
    with torch.inference_mode():
        out = case.original(theirs["input_ids"], output_attentions=True, output_hidden_states=True, **given)
    values = trace(model, case.ours.tokenizer, ids, []).values
    close(values["encoder.output"], out.hidden_states[-1][0].numpy())
    for layer, weights in enumerate(out.attentions):
        close(values[path("encoder", layer) + ".weights"], weights[0].numpy())
    if model.config.labels:
        close(values["labels"], their_labels(out))


@pytest.mark.parametrize("length", [1, 2, 7, 40])
def test_stream_and_logits_agree_at_every_length(case: Case, length: int) -> None:
    """Shorter and longer than a window of 5, whichever tokens they are."""
    generator = torch.Generator().manual_seed(length)
    ids = torch.randint(len(SPECIALS), len(case.theirs), (length,), generator=generator).tolist()
    ids = [id_ for id_ in ids if (case.theirs == case.theirs[id_]).sum() == 1] or ids
    theirs = case.theirs[ids][None]
    given = {"decoder_input_ids": case.theirs_of_target[ids][None]} if case.kind == "encoder-decoder" else {}
    with torch.inference_mode():
        out = case.original(input_ids=theirs, output_hidden_states=True, **given)
    source, target = ids if case.kind != "decoder" else [], ids if case.kind != "encoder" else []
    values = trace(case.ours.model, case.ours.tokenizer, source, target).values
    if "logits" in values:
        own = written_by(case)
        close(values["logits"][:, own], out.logits[0][:, case.theirs_of_target[own]].numpy())
    both = case.kind == "encoder-decoder"
    for side in ("encoder", "decoder"):
        states = out.get(f"{side}_hidden_states") if both else out.hidden_states if side == case.kind else None
        for layer, state in enumerate((states or ())[1:-1]):  # the last one has passed the final norm
            ours, original = values[f"{side}.{layer}.feed_forward.residual"], state[0].numpy()
            if case.ours.model.config.position == "sinusoidal":  # their dimensions are in another order
                ours, original = np.sort(ours), np.sort(original)
            close(ours, original)


def test_greedy_decoding_writes_the_same_tokens(case: Case) -> None:
    if case.kind == "encoder":
        pytest.skip("an encoder writes nothing")
    ids, theirs = case.read(SENTENCES[0])
    alone = case.kind == "decoder"
    [decoded] = greedy(case.ours.model, [ids[:-1] if alone else ids], 30)
    forced = case.ours.model.config.forced
    told = {"forced_bos_token_id": int(case.theirs[forced[0]])} if forced else {}
    with torch.inference_mode():
        out = case.original.generate(theirs, max_new_tokens=30, do_sample=False, num_beams=1, **told)[0].tolist()
    expected = out[theirs.size(1) :] if alone else out[1:]
    got = case.theirs_of_target[list(decoded.ids)].tolist()
    assert len(got) >= 4
    assert got == expected[: len(got)]  # ours stops where a phrase repeats
    assert len(got) == len(expected) or decoded.stop == "repetition"


def test_padding_and_a_batch_of_two_change_nothing(case: Case) -> None:
    model, tokenizer = case.ours.model, case.ours.tokenizer
    both = [tokenizer.encode(sentence) for sentence in SENTENCES]
    if case.kind == "decoder":
        alone = [greedy(model, [ids[:-1]], 8)[0].ids for ids in both]
        assert [each.ids for each in greedy(model, [ids[:-1] for ids in both], 8)] == alone
        return
    source, mask = masks.padded(both)
    with torch.inference_mode():
        together = model.encode(source, mask)
        for row, ids in enumerate(both):
            read = torch.tensor([ids])
            close(together[row, : len(ids)].numpy(), model.encode(read, masks.everything(read))[0].numpy())
    if case.kind == "encoder-decoder":
        assert [d.ids for d in greedy(model, both, 8)] == [greedy(model, [ids], 8)[0].ids for ids in both]


def test_a_head_off_equals_zeroed_columns(case: Case) -> None:
    kind = {"encoder": "encoder", "decoder": "decoder", "encoder-decoder": "cross"}[case.kind]
    model, head = case.ours.model, 2
    ids = case.ours.tokenizer.encode(SENTENCES[0])
    source, target = ([], ids[:-1]) if case.kind == "decoder" else (ids, [BOS, *ids[1:-1]])
    target = [] if case.kind == "encoder" else target
    layer = "*" if model.config.shared_layers else "1"  # whose columns are those of all layers
    off = edits.zero(path(kind, 1).replace("1", layer) + ".head_outputs", head=head)  # type: ignore[arg-type]
    edited = trace(model, case.ours.tokenizer, source, target, compose(model, off)).values
    output = model.get_submodule(path(kind, 1)).output  # type: ignore[arg-type, union-attr]
    kept, size = output.weight.clone(), model.config.d_k
    try:
        output.weight[:, head * size : (head + 1) * size] = 0
        zeroed = trace(model, case.ours.tokenizer, source, target).values
    finally:
        output.weight.copy_(kept)
    last = "encoder.output" if case.kind == "encoder" else "logits"
    np.testing.assert_allclose(edited[last], zeroed[last], rtol=1e-5, atol=1e-4)
    assert np.abs(edited[last] - trace(model, case.ours.tokenizer, source, target).values[last]).max() > 1e-3


def test_the_effect_of_a_head_is_that_of_a_whole_pass_without_it(case: Case) -> None:
    """Effects are computed from the layer on where the head is; positions must act there too."""
    run = translate(case.ours, SENTENCES[0])
    if case.kind == "encoder" and "logits" in run.trace.values:
        run = replace(run, target=())
    for kind in run.trace.kinds:
        effects = head_effects(case.ours, run, kind, 1)
        off = edits.zero(f"{path(kind, 1)}.head_outputs", head=2)
        edited = trace(case.ours.model, case.ours.tokenizer, run.source, run.target, compose(case.ours.model, off))
        if case.kind == "encoder":
            expected = cosine(run.trace.values["encoder.output"], edited.values["encoder.output"]) - 1
        else:
            ids = run.trace.values["logits"].argmax(-1)
            before, after = (log_probabilities(each.values["logits"], ids) for each in (run.trace, edited))
            expected = after - before
        np.testing.assert_allclose(effects[2], expected, rtol=1e-3, atol=1e-4)


def test_recorded_names_are_those_that_edits_know(case: Case) -> None:
    _, values = passes(case)
    assert list(values) == list(recorded_names.names(case.ours.model.config))


def test_without_positions_the_order_of_keys_has_no_effect(case: Case) -> None:
    """`remove_position` works for every way to give positions: an encoder then sees a bag of tokens."""
    if case.kind == "decoder":
        pytest.skip("a causal mask orders the tokens too")
    model, ids = case.ours.model, case.ours.tokenizer.encode(SENTENCES[0])
    off = edits.remove_position("encoder", model.config.position)
    order = [0, *range(len(ids) - 2, 0, -1), len(ids) - 1]  # the ends stay: behind a separator is another segment
    first, last = (
        trace(model, case.ours.tokenizer, source, [], compose(model, off)).values["encoder.output"]
        if case.kind == "encoder"
        else trace(model, case.ours.tokenizer, source, [BOS], compose(model, off)).values["encoder.output"]
        for source in (ids, [ids[at] for at in order])
    )
    np.testing.assert_allclose(first[order], last, atol=1e-3 * np.abs(first).max())


def test_what_can_be_imported_stands_in_the_docs() -> None:
    section = (ROOT / "docs" / "pretrained.md").read_text(encoding="utf-8").partition("## Families")[2]
    cells = re.findall(r"^\| (`[^|]*) \|", section.partition("| `label_kind`")[0], re.MULTILINE)
    assert set(re.findall("`(.*?)`", " ".join(cells))) - {"model_type"} == set(families())
