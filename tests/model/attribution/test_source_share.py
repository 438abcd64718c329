"""How much of each written token comes from the source, against methods for one token, loops, and passes by hand."""

import numpy as np
import pytest
import torch
from torch.nn.functional import layer_norm

from model.attribution import attention_methods, leave_one_out, value_zeroing
from model.attribution.source_share import deletions, vectors, zeroing
from model.attribution.why_question import Question, answers, input_words
from model.checkpoint.catalogue import Entry
from model.checkpoint.checkpoints import Checkpoint, load
from model.decode.translate import Translation, translate
from tests.samples import SAMPLES, german_english

NAMES = ("de-en", "reverse-post-norm", "llm-2017")  # pre-norm, post-norm, pieces of words


@pytest.fixture(scope="module", params=NAMES)
def written(request: pytest.FixtureRequest) -> tuple[Checkpoint, Translation]:
    checkpoint = german_english() if request.param == "de-en" else load(Entry(SAMPLES / request.param))
    return checkpoint, translate(checkpoint, checkpoint_example(request.param))


def checkpoint_example(name: str) -> str:
    return "Der Schmetterling ist schön." if name == "de-en" else Entry(SAMPLES / name).card["examples"][0]


def questions(run: Translation) -> list[Question]:
    return [Question(run, row, int(id_)) for row, id_ in enumerate(answers(run))]


def by_deletion(checkpoint: Checkpoint, run: Translation) -> np.ndarray:
    before = deletions.words_before(run)
    words = deletions.deletable(run, before)
    return deletions.shares(before, dict(zip(words, deletions.falls_without(checkpoint, run, words), strict=True)))


def test_deletion_gives_what_leave_one_out_gives_for_each_token(written: tuple[Checkpoint, Translation]) -> None:
    checkpoint, run = written
    expected = []
    for question in questions(run):
        falls = np.abs(np.nan_to_num(leave_one_out.leave_one_out(checkpoint, question)))
        is_source = np.array([word.side == "source" for word in input_words(question)])
        expected.append(falls[is_source].sum() / falls.sum())
    assert by_deletion(checkpoint, run) == pytest.approx(expected, abs=1e-3)


def test_a_deletion_is_a_pass_over_the_shorter_text() -> None:
    checkpoint = german_english()
    run = translate(checkpoint, "Ich bin müde und du bist müde.")
    row = len(run.target) - 2
    for word in (("source", (2,)), ("target", (2,)), ("target", (row,))):
        fall = deletions.falls_without(checkpoint, run, [word])[0][row]
        ids = {side: [id_ for place, id_ in enumerate(getattr(run, side)) if word[0] != side or place not in word[1]]
               for side in ("source", "target")}  # fmt: skip
        logits = checkpoint.model(torch.tensor([ids["source"]]), torch.tensor([ids["target"]]), None)[0]
        without = logits[row - (word[0] == "target")].log_softmax(-1)[run.ids[row]]
        whole = torch.from_numpy(run.trace.values["logits"][row]).log_softmax(-1)[run.ids[row]]
        assert fall == pytest.approx(float(whole - without), abs=1e-4)
    assert np.isnan(deletions.falls_without(checkpoint, run, [("target", (3,))])[0][:3]).all()


def test_zeroing_gives_what_it_gives_for_each_token(written: tuple[Checkpoint, Translation]) -> None:
    checkpoint, run = written
    size, layers = len(run.target), range(len(checkpoint.model.decoder))
    tokens = range(size + len(run.source))
    distances = np.stack([zeroing.moved(checkpoint, run, layer, tokens) for layer in layers])
    expected = [
        value_zeroing.zeroed_values(checkpoint, question)[: len(run.source)].sum() for question in questions(run)
    ]
    assert zeroing.shares(distances, size) == pytest.approx(expected, abs=1e-4)
    parts = np.concatenate(
        [zeroing.moved(checkpoint, run, 0, tokens[:3]), zeroing.moved(checkpoint, run, 0, tokens[3:])]
    )
    assert parts == pytest.approx(distances[0], abs=1e-5)


def test_without_any_value_that_matters_all_tokens_count_alike() -> None:
    assert zeroing.shares(np.zeros((2, 3 + 1, 3)), 3) == pytest.approx([1 / 2, 1 / 3, 1 / 4])


def test_norms_are_summed_as_in_a_loop(written: tuple[Checkpoint, Translation]) -> None:
    checkpoint, run = written
    shares = vectors.norm_shares(checkpoint.model, run)
    for question, share in zip(questions(run), shares, strict=True):
        norms = attention_methods.weighted_norms(checkpoint.model, question)
        assert share == pytest.approx(norms[: len(run.source)].sum() / norms.sum(), abs=1e-6)
    row, sums = len(run.target) - 1, {"cross": 0.0, "decoder": 0.0}
    for layer, module in enumerate(checkpoint.model.decoder):
        for kind, part in (("cross", module.cross_attention), ("decoder", module.self_attention)):
            name = f"decoder.{layer}.{'cross' if kind == 'cross' else 'self'}_attention"
            weights, values = (torch.from_numpy(run.trace.values[f"{name}.{what}"]) for what in ("weights", "v"))
            for token in range(weights.shape[2]):
                taken = (weights[:, row, token, None] * values[:, token]).flatten()  # concat of the heads
                sums[kind] += float((part.output.weight @ taken).norm())
    assert shares[row] == pytest.approx(sums["cross"] / (sums["cross"] + sums["decoder"]), abs=1e-4)


def test_alti_is_the_paper_in_a_loop(written: tuple[Checkpoint, Translation]) -> None:
    checkpoint, run = written
    shares = vectors.alti_shares(checkpoint.model, run)
    assert shares == pytest.approx(alti_in_a_loop(checkpoint, run), abs=1e-4)
    assert ((shares > 0) & (shares <= 1 + 1e-9)).all()


def alti_in_a_loop(checkpoint: Checkpoint, run: Translation) -> list[float]:
    """The whole matrices of contributions (rows × source and written), multiplied through the layers."""
    size, source = len(run.target), len(run.source)
    mixed = torch.cat([torch.zeros(size, source), torch.eye(size)], dim=1).double()
    values = {name: torch.from_numpy(value).double() for name, value in run.trace.values.items()}
    stream = values["decoder.input"]
    for layer, module in enumerate(checkpoint.model.decoder):
        for number, (part, read) in enumerate((("self", mixed), ("cross", torch.eye(source, source + size).double()))):
            name, attention = f"decoder.{layer}.{part}_attention", getattr(module, f"{part}_attention")
            after, residual = values[f"{name}.residual"], module.residuals[number]
            per_head = attention.output.weight.double().unflatten(1, (attention.heads, -1))  # (d, H, D)
            moved = torch.einsum("hqk,hkn,dhn->qkd", values[f"{name}.weights"], values[f"{name}.v"], per_head)
            parts = torch.cat([moved, stream[:, None]], dim=1)
            if not residual.pre:
                scale = (stream + values[f"{name}.output"]).var(-1, unbiased=False).add(residual.norm.eps).sqrt()
                centred = parts - parts.mean(-1, keepdim=True)
                parts = residual.norm.weight * centred / scale[:, None, None]
                whole = layer_norm(stream + values[f"{name}.output"], stream.shape[-1:], residual.norm.weight.double(),
                                   residual.norm.bias.double(), residual.norm.eps)  # fmt: skip
                assert torch.allclose(whole, after, atol=1e-3)
            close = (after.abs().sum(-1)[:, None] - (after[:, None] - parts).abs().sum(-1)).clamp(min=0)
            close = close / close.sum(-1, keepdim=True)
            mixed = close[:, :-1] @ read + close[:, -1:] * mixed
            stream = after
        stream = values[f"decoder.{layer}.feed_forward.residual"]
    assert torch.allclose(mixed.sum(-1), torch.ones(size).double())
    return mixed[:, :source].sum(-1).tolist()


@pytest.mark.parametrize(
    ("name", "sentence", "word"),
    [
        ("es-en", "La casa es blanca y la puerta es blanca.", "white"),
        ("zh-en", "他喜欢看电影，她喜欢看电影。", "likes"),
    ],
)
def test_a_word_that_is_written_twice_takes_less_from_the_source(name: str, sentence: str, word: str) -> None:
    checkpoint = load(Entry(SAMPLES / name))
    run = translate(checkpoint, sentence)
    shares, tokens = by_deletion(checkpoint, run), run.trace.output_tokens
    first, second = (at for at, token in enumerate(tokens) if token == word)
    assert shares[second] < shares[first] / 4
    assert shares[0] == 1


@pytest.mark.parametrize(("name", "sentence"), [("es-en", "La cortina es bonita."), ("zh-en", "他会写诗。")])
def test_of_a_word_in_pieces_a_later_piece_takes_least_from_the_source(name: str, sentence: str) -> None:
    checkpoint = load(Entry(SAMPLES / name))
    run = translate(checkpoint, sentence)
    shares, tokens = by_deletion(checkpoint, run), run.trace.output_tokens
    ordinary = [at for at, token in enumerate(tokens) if not token.startswith("<") and token.strip("·").isalpha()]
    assert tokens[min(ordinary, key=lambda at: shares[at])].startswith("·")
