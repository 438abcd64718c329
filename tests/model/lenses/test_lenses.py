"""Lenses against a direct computation: shorter encoders, torch's Jacobians, hooks on the model's own layers."""

import copy
import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.func import jacrev

from corpora.pairs import Pair
from model.__main__ import main
from model.analysis import logit_lens
from model.analysis.logit_lens import Translator
from model.build.recipes import RECIPES
from model.checkpoint import catalogue, checkpoints
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import random_model
from model.config import TransformerConfig
from model.decode.greedy import greedy
from model.decode.translate import translate, translate_all
from model.errors import InvalidInput
from model.intervals import Estimate, per_token
from model.lenses import agreement, batch_streams, decoder_lens, fitted_lenses, jacobian_lens, tuned_lens
from model.lenses.batch_streams import Text
from model.lenses.fitted_lenses import FittedLenses
from model.measurements import lenses
from model.transformer import Transformer
from tests.samples import BUCH, KINO, SAMPLES, german_english, tiny_checkpoint

CONFIG = TransformerConfig(
    source_vocabulary=14, target_vocabulary=14, d_model=6, heads=2, encoder_layers=2, decoder_layers=2, d_ff=10,
    tied_embeddings="none", max_length=16, norm="pre", final_norm=True,
)  # fmt: skip
TEXTS = (Text((1, 5, 6, 7, 2), (1, 8, 9)), Text((1, 4, 2), (1, 10, 11, 12, 5)))


def tiny(**changes: object) -> Transformer:
    return random_model(replace(CONFIG, **changes), 3)  # type: ignore[arg-type]


# DecoderLens


@pytest.mark.parametrize("changes", [{}, {"norm": "post", "final_norm": False}, {"final_norm": False}])
def test_the_decoder_reads_a_shorter_encoder(changes: dict[str, object]) -> None:
    """Each depth writes what a model writes whose encoder has only so many layers, for several sources at once."""
    model, sources = tiny(**changes), [list(text.source) for text in TEXTS]
    outputs = decoder_lens.outputs(model, sources, 12)
    assert list(outputs) == ["input", "0.feed_forward", "1.feed_forward"]
    for layers, decoded in enumerate(outputs.values()):
        short = copy.deepcopy(model)
        short.encoder = nn.ModuleList(list(short.encoder)[:layers])
        assert decoded == greedy(short, sources, 12)
    assert outputs["1.feed_forward"] == greedy(model, sources, 12)


def test_the_shipped_model_writes_itself_from_its_last_layer() -> None:
    checkpoint = german_english()
    ids = translate(checkpoint, BUCH)
    outputs = decoder_lens.outputs(checkpoint.model, [ids.source], 95)
    texts = {place: checkpoint.tokenizer.decode(each[0].ids) for place, each in outputs.items()}
    assert texts["2.feed_forward"] == ids.text
    assert texts["input"] != ids.text


# the Jacobian lens


def final_of(model: Transformer, text: Text, layer: nn.Module | None, side: str) -> Callable[[Tensor], Tensor]:
    """What the last layer of the decoder gives as a function of the output of a layer, or of the input of a side."""

    def final(x: Tensor) -> Tensor:
        last: list[Tensor] = []
        where = layer or getattr(model, side)[0]
        swap = (
            where.register_forward_hook(lambda *_: x)
            if layer
            else where.register_forward_pre_hook(lambda _, given: (x, *given[1:]))
        )
        keep = model.decoder[-1].register_forward_hook(lambda _m, _i, out: last.append(out))
        model(torch.tensor([text.source]), torch.tensor([text.target]))
        swap.remove()
        keep.remove()
        return last[-1][0]  # (T, d)

    return final


def jacobian(model: Transformer, side: str, number: int) -> Tensor:
    """The mean over all vectors of a place, of all texts, of their Jacobians summed over the targets; by torch.func."""
    layer = getattr(model, side)[number] if number >= 0 else None
    place = "input" if number < 0 else f"{number}.feed_forward"
    sums, count = torch.zeros(6, 6), 0
    for text in TEXTS:
        x = getattr(batch_streams.read(model, [text]), side)[place]  # (1, T, d)
        full = jacrev(final_of(model, text, layer, side))(x)  # (T', d, 1, T, d)
        sums += full.sum((0, 2, 3))
        count += x.size(1)
    return sums / count


@pytest.mark.parametrize("norm", ["pre", "post"])
def test_the_matrices_are_the_mean_jacobians(norm: str) -> None:
    model, reports = tiny(norm=norm), []
    encoder, decoder = jacobian_lens.fit(model, TEXTS, reports.append)
    assert list(encoder) == ["input", "0.feed_forward", "1.feed_forward"]
    assert list(decoder) == ["input", "0.feed_forward"]
    assert reports == [2]
    for side, matrices in (("encoder", encoder), ("decoder", decoder)):
        for number, matrix in enumerate(matrices.values(), -1):
            torch.testing.assert_close(matrix, jacobian(model, side, number), atol=1e-5, rtol=1e-4)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = tiny()
    together = jacobian_lens.fit(model, TEXTS)[1]["input"]
    monkeypatch.setattr(batch_streams.batches, "__defaults__", (1,))
    torch.testing.assert_close(jacobian_lens.fit(model, TEXTS)[1]["input"], together, atol=1e-6, rtol=1e-5)


# the tuned lens


def test_the_tuned_lens_begins_as_the_logit_lens_and_learns() -> None:
    model = tiny()
    logit = agreement.of_lens(model, TEXTS, {})
    first = tuned_lens.fit(model, TEXTS, 0, steps=1)
    start = tuned_lens.identity(6)
    x = torch.randn(4, 6)
    torch.testing.assert_close(start(x), x)
    assert all(one.matrix.abs().max() <= tuned_lens.RATE * 1.001 for one in first.values())
    fitted = {place: lenses._affine(one) for place, one in tuned_lens.fit(model, TEXTS, 0, steps=60).items()}
    tuned = agreement.of_lens(model, TEXTS, fitted)
    assert list(fitted) == list(logit) == ["input", "0.feed_forward"]
    for place in logit:
        assert sum(tuned[place].divergence) < 0.7 * sum(logit[place].divergence)
    again = tuned_lens.fit(model, TEXTS, 0, steps=60)
    np.testing.assert_array_equal(lenses._affine(again["input"]).matrix, fitted["input"].matrix)


def test_no_translator_and_the_identity_are_the_logit_lens() -> None:
    checkpoint = german_english()
    run = translate(checkpoint, KINO)
    unchanged = {"1.feed_forward": Translator(np.eye(144, dtype=np.float32), np.zeros(144, dtype=np.float32))}
    plain = logit_lens.early(checkpoint.model, run.trace.values, "decoder")
    same = logit_lens.early(checkpoint.model, run.trace.values, "decoder", translators=unchanged)
    np.testing.assert_array_equal(plain.final_ranks, same.final_ranks)
    np.testing.assert_array_equal(plain.top, same.top)


# how right they are


def outputs_of(layers: Sequence[nn.Module], act: Callable[[], object]) -> list[Tensor]:
    kept: list[Tensor] = []
    hooks = [layer.register_forward_hook(lambda _m, _i, out: kept.append(out)) for layer in layers]
    act()
    for hook in hooks:
        hook.remove()
    return kept


def test_agreement_is_counted_by_hand() -> None:
    """Each text alone, its layers' outputs by hooks, a translator of random numbers."""
    model, draws = tiny(), np.random.default_rng(0)
    translator = Translator(draws.normal(size=(6, 6)).astype(np.float32), draws.normal(size=6).astype(np.float32))
    counts = agreement.of_lens(model, TEXTS, {"0.feed_forward": translator})["0.feed_forward"]
    assert counts.tokens == [3, 5]
    for text, agreeing, divergence in zip(TEXTS, counts.agreeing, counts.divergence, strict=True):
        ids = torch.tensor([text.source]), torch.tensor([text.target])
        with torch.no_grad():
            first, last = outputs_of(list(model.decoder), lambda ids=ids: model(*ids))
            lens = model.output(
                model.decoder_norm(first @ torch.from_numpy(translator.matrix).T + torch.from_numpy(translator.bias))
            )
            whole = model.output(model.decoder_norm(last))
            torch.testing.assert_close(whole, model(*ids))
        assert agreeing == int((lens.argmax(-1) == whole.argmax(-1)).sum())
        expected = nn.functional.kl_div(lens.log_softmax(-1), whole.log_softmax(-1), log_target=True, reduction="sum")
        assert divergence == pytest.approx(float(expected), rel=1e-4)


def test_source_words_are_looked_for_in_an_output() -> None:
    """Without a lens of its own each source vector is read as it is; the shift looks in the other sentence's output."""
    checkpoint = german_english()
    texts = batch_streams.generated(checkpoint, [KINO, BUCH])
    draws = np.random.default_rng(1)
    translators = {"0.feed_forward": Translator(draws.normal(size=(144, 144)).astype(np.float32), np.zeros(144, "f"))}
    outputs = [set(text.target) - {0, 1, 2, 3} for text in texts]
    for shift in (0, 1):
        hits, counts = agreement.in_output(checkpoint, texts, translators, shift)["0.feed_forward"]
        assert counts == [len(text.source) - 2 for text in texts]
        for number, text in enumerate(texts):
            model = checkpoint.model
            with torch.no_grad():
                x = outputs_of(
                    [model.encoder[0]], lambda text=text, model=model: model.encode(torch.tensor([text.source]))
                )
                moved = x[0][0] @ torch.from_numpy(translators["0.feed_forward"].matrix).T
                words = model.output(model.decoder_norm(moved)).argmax(-1).tolist()
            assert hits[number] == sum(word in outputs[number - shift] for word in words[1:-1])


def test_the_interval_is_that_of_resampled_sentences() -> None:
    assert per_token([1, 2, 3], [2, 4, 6], 0) == Estimate(0.5, 0.5, 0.5)
    draws = np.random.default_rng(5)
    values = draws.random(400)
    mean, low, high = per_token(list(values), [1] * 400, 0)
    assert mean == pytest.approx(values.mean())
    error = 1.96 * values.std() / 20
    assert (mean - low, high - mean) == pytest.approx((error, error), rel=0.15)


# the file


def fitted(model: Transformer) -> FittedLenses:
    encoder, decoder = jacobian_lens.fit(model, TEXTS)
    tuned = tuned_lens.fit(model, TEXTS, 0, steps=5)
    linear = [{place: lenses._linear(matrix) for place, matrix in each.items()} for each in (decoder, encoder)]
    return FittedLenses(linear[0], {place: lenses._affine(one) for place, one in tuned.items()}, linear[1])


def test_stored_lenses_are_read_again(tmp_path: Path) -> None:
    own_lenses = fitted(tiny())
    fitted_lenses.write(tmp_path, own_lenses)
    stored = fitted_lenses.read(tmp_path, CONFIG)
    assert stored
    for kind in fitted_lenses.KINDS:
        for place, translator in getattr(own_lenses, kind).items():
            again, most = getattr(stored, kind)[place], np.abs(translator.matrix).max()
            np.testing.assert_allclose(again.matrix, translator.matrix, atol=most / 127)
            np.testing.assert_array_equal(again.bias, translator.bias)
            np.testing.assert_array_equal(again.matrix, getattr(fitted_lenses.rounded(own_lenses), kind)[place].matrix)
    assert fitted_lenses.read(tmp_path / "none", CONFIG) is None
    alone = {"architecture": "decoder", "encoder_layers": 0, "source_vocabulary": 0, "tied_embeddings": "none"}
    for change in ({"d_model": 8}, {"decoder_layers": 3}, {"encoder_layers": 1}, alone):
        assert fitted_lenses.read(tmp_path, replace(CONFIG, **change)) is None
    (tmp_path / fitted_lenses.FILE).write_bytes(b"no tensors")
    assert fitted_lenses.read(tmp_path, CONFIG) is None


# the command


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuned_lens, "STEPS", 3)
    monkeypatch.setattr(lenses, "RESAMPLES", 20)


@pytest.mark.usefixtures("few")
def test_the_command_records_what_it_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tiny_checkpoint(tmp_path / "mine")
    monkeypatch.setenv("GLASSFORMER_CHECKPOINTS", str(tmp_path))
    file = tmp_path / "pairs.tsv"
    words = ("Haus", "Hund", "ist", "alt", "da")
    file.write_text("".join(f"das {a} {b}\tthe {b} {a}\n" for a in words for b in words), encoding="utf-8")
    assert main(["lenses", "mine", "--pairs", str(file), "--save"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert json.loads((tmp_path / "mine" / lenses.MEASUREMENT.file).read_text(encoding="utf-8")) == printed
    assert (printed["seed"], printed["sentences"], printed["fitted"]) == (0, 5, {"jacobian": 20, "tuned": 20})
    for scores in (printed, printed["twin"]):
        assert scores["agreement"].keys() == {"logit", "jacobian", "tuned"}
        assert scores["decoder_lens"]["chrf"].keys() == {"input", "0.feed_forward"}
        assert all(low <= mean <= high for mean, low, high in scores["source"].values())
    entry = Entry(tmp_path / "mine")
    assert fitted_lenses.read(entry.folder, entry.config)
    file.write_text("ja!\tyes!\n" * 3, encoding="utf-8")
    assert main(["lenses", "mine", "--pairs", str(file)]) == 2
    assert "3 pairs are too few" in capsys.readouterr().err
    assert main(["lenses", "mine"]) == 2
    assert "no recipe" in capsys.readouterr().err


@pytest.mark.usefixtures("few")
def test_a_decoder_alone_has_no_lens_from_a_source() -> None:
    entry = Entry(SAMPLES / "induction")
    data = lenses.of_pairs([Pair(text, text) for text in ["abcabcab", "kdfqzkdf"] * 5])
    own_lenses, scores = lenses.measure(checkpoints.load(entry), data)
    assert not own_lenses.source
    assert "source" not in scores
    assert "decoder_lens" not in scores
    assert list(own_lenses.tuned) == ["input", "0.feed_forward"]


def test_an_encoder_alone_is_refused() -> None:
    data = lenses.of_pairs([Pair("ja", "ja")] * 9)
    with pytest.raises(InvalidInput, match="writes nothing"):
        lenses.measure(checkpoints.load(Entry(SAMPLES / "mini-encoder")), data)


# what is shipped


@pytest.mark.parametrize("name", ["de-en", "zh-en"])
def test_shipped_lenses_read_more_than_the_logit_lens(name: str) -> None:
    """Over sentences of the card."""
    entry = Entry(SAMPLES / name)
    own_lenses = fitted_lenses.read(entry.folder, entry.config)
    assert own_lenses
    checkpoint = checkpoints.load(entry)
    texts = batch_streams.generated(checkpoint, catalogue.sentences(entry)[:30])
    kinds = {"logit": {}, "jacobian": own_lenses.jacobian, "tuned": own_lenses.tuned}
    counts = {kind: agreement.of_lens(checkpoint.model, texts, each) for kind, each in kinds.items()}
    for place in ("input", "0.feed_forward"):
        logit, jacobian, tuned = (sum(counts[kind][place].agreeing) for kind in kinds)
        assert logit < jacobian < tuned


@pytest.mark.thorough
def test_the_recorded_scores_are_measured_again() -> None:
    """The stored lens on the held-out sentences of the recipe, and DecoderLens by shorter encoders."""
    entry, recipe = Entry(SAMPLES / "de-en"), RECIPES["de-en"]
    scores = json.loads((entry.folder / lenses.MEASUREMENT.file).read_text(encoding="utf-8"))
    own_lenses, checkpoint = fitted_lenses.read(entry.folder, entry.config), german_english()
    assert own_lenses
    pairs = [pair for each in lenses.of_recipe(recipe).held_out.values() for pair in each]
    texts = batch_streams.generated(checkpoint, [pair.source for pair in pairs])
    assert (len(texts), sum(len(text.target) for text in texts)) == (scores["sentences"], scores["tokens"])
    counts = agreement.of_lens(checkpoint.model, texts, own_lenses.tuned)
    for place, (mean, _, _) in scores["agreement"]["tuned"].items():
        assert sum(counts[place].agreeing) / sum(counts[place].tokens) == pytest.approx(mean, abs=2e-3)
    from sacrebleu.metrics import CHRF

    short = copy.deepcopy(checkpoint.model)
    short.encoder = nn.ModuleList(list(short.encoder)[:1])
    outputs = translate_all(replace(checkpoint, model=short), [pair.source for pair in pairs])
    chrf = CHRF().corpus_score(outputs, [[pair.target for pair in pairs]]).score
    assert chrf == pytest.approx(scores["decoder_lens"]["chrf"]["0.feed_forward"][0], abs=0.2)
