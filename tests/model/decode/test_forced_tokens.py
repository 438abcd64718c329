"""Decoding taken apart: forks, draws, candidates, saved work and given outputs, each computed again by other means."""

import math

import numpy as np
import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from model.config import TransformerConfig
from model.decode import cache_cost, forced_tokens, scoring, token_sampling
from model.decode.beam_search import beam_search
from model.decode.decoding_loop import Decoded, stop_reason
from model.decode.greedy import greedy
from model.decode.start import DecodingStart, decoding_start
from model.decode.token_sampling import Sampling
from model.decode.translate import translate
from model.errors import InvalidInput
from model.parts.key_values import LayerCache
from model.tokenization.tokenizer import BOS, EOS, PAD, Tokenizer
from model.transformer import Transformer
from tests.conftest import tiny
from tests.model.decode.test_beam_search import decoder_alone
from tests.samples import BUCH, KINO, german_english

SOURCE = (BOS, 5, 9, 7, EOS)
START = DecodingStart(SOURCE, (BOS,), 12)
PROMPT = DecodingStart((), (BOS, 5, 9), 12)
KINDS = [(lambda seed: tiny("post", seed=seed), START), (lambda seed: tiny("pre", final_norm=True, seed=seed), START),
         (decoder_alone, PROMPT)]  # fmt: skip


def logits_of(model: Transformer, start: DecodingStart, ids: list[int]) -> torch.Tensor:
    """Every position's logits (T, V) in one pass without a cache."""
    read = torch.tensor([[*start.prompt, *ids]])
    with torch.inference_mode():
        if not start.source:
            return model(None, read, None)[0]
        source = torch.tensor([list(start.source)])
        return model(source, read, torch.ones_like(source, dtype=torch.bool))[0]


def fresh(model: Transformer, start: DecodingStart, forced: list[int]) -> list[int]:
    """Greedy decoding that computes everything anew at each step."""
    ids = list(forced)
    while len(ids) < start.limit and (not ids or stop_reason(ids) is None):
        ids.append(int(logits_of(model, start, ids)[-1].argmax()))
    return ids


# branches


@pytest.mark.parametrize(("make", "start"), KINDS)
def test_a_branch_equals_a_fresh_decode_with_its_prefix(make, start: DecodingStart) -> None:
    results = set()
    for seed in range(6):
        model = make(seed)
        base = forced_tokens.follow(model, start)
        assert list(base.ids) == fresh(model, start, [])
        for step in range(len(base.ids)):
            token = (base.ids[step] + 5) % 15 + 4
            fork = forced_tokens.branch(model, start, base, step, token, None)
            assert list(fork.ids) == fresh(model, start, [*base.ids[:step], token])
            assert fork.ids[: step + 1] == (*base.ids[:step], token)
            results.add(fork.ids[step + 1 :] == base.ids[step + 1 :])
    assert False in results  # a forced word changes what follows


@pytest.mark.parametrize(("make", "start"), KINDS)
def test_without_a_forced_word_it_is_greedy_decoding(make, start: DecodingStart) -> None:
    for seed in range(3):
        model = make(seed)
        assert forced_tokens.follow(model, start) == greedy(model, [start.source or start.prompt], start.limit)[0]


@pytest.mark.parametrize("sentence", [KINO, BUCH])
def test_it_writes_what_the_start_page_shows(sentence: str) -> None:
    checkpoint = german_english()
    start = decoding_start(checkpoint, sentence)
    output = forced_tokens.follow(checkpoint.model, start)
    run = translate(checkpoint, sentence)
    assert (checkpoint.tokenizer.decode(output.ids), output.stop) == (run.text, run.stop)
    assert start.read(output.ids) == run.target
    trace = forced_tokens.steps_of(checkpoint, start, output.ids)
    assert np.array_equal(trace.values["logits"], run.trace.values["logits"])


def test_a_branch_that_cannot_be_is_refused() -> None:
    model = tiny()
    base = Decoded((5, 6, EOS), "eos")
    for step, token, code in ((3, 5, "fork_step"), (-1, 5, "fork_step"), (0, 19, "fork_token"), (0, BOS, "fork_token"),
                              (0, PAD, "fork_token")):  # fmt: skip
        with pytest.raises(InvalidInput) as error:
            forced_tokens.branch(model, START, base, step, token, None)
        assert error.value.code == code
    assert forced_tokens.branch(model, START, base, 2, 7, None).ids[:3] == (5, 6, 7)  # in place of <eos>
    assert forced_tokens.branch(model, START, base, 1, EOS, None) == Decoded((5, EOS), "eos")
    assert len(forced_tokens.branch(model, START, Decoded((5, 5, 5, 5), "repetition"), 4, 7, None).ids) > 4


def test_branches_are_spelled_and_read_back() -> None:
    forks = [((3, 1234), (5, 88)), ((4, 77),)]
    assert forced_tokens.spell_branches(forks) == "3:1234;5:88|4:77"
    assert forced_tokens.read_branches("3:1234;5:88|4:77") == (forks, [])
    assert forced_tokens.read_branches("") == ([], [])
    bad = ["x", "3", "3:", "3:x", "-1:4", "5:1;3:2", "3:1;3:2", "1:2:3", "3:1234567", "٣:4"]
    assert forced_tokens.read_branches("|".join([*bad, "4:77", "4:77"])) == ([((4, 77),)], [*bad, "4:77"])
    assert forced_tokens.extended(forks[0], 5, 9) == ((3, 1234), (5, 9))
    assert forced_tokens.extended(forks[0], 1, 9) == ((1, 9),)


def test_outputs_branch_where_they_part() -> None:
    assert forced_tokens.branching([(1, 2, 3), (1, 9), (1, 9, 4), (7,), (1, 2, 5)]) == [(0, 1), (1, 2), (0, 0), (0, 2)]


# sampling


def test_the_distribution_by_hand() -> None:
    logits = torch.tensor([math.log(p) for p in (0.1, 0.4, 0.2, 0.3)])
    assert token_sampling.distribution(logits, Sampling()).tolist() == pytest.approx([0.1, 0.4, 0.2, 0.3])
    assert token_sampling.distribution(logits, Sampling(top_k=2)).tolist() == pytest.approx([0, 4 / 7, 0, 3 / 7])
    assert token_sampling.distribution(logits, Sampling(top_p=0.7)).tolist() == pytest.approx([0, 4 / 7, 0, 3 / 7])
    assert token_sampling.distribution(logits, Sampling(top_p=0.71)).tolist() == pytest.approx([0, 4 / 9, 2 / 9, 3 / 9])
    assert token_sampling.distribution(logits, Sampling(top_p=0.01)).tolist() == [0, 1, 0, 0]
    squares = [p * p / 0.3 for p in (0.1, 0.4, 0.2, 0.3)]  # temperature ½ squares
    assert token_sampling.distribution(logits, Sampling(temperature=0.5)).tolist() == pytest.approx(squares)
    after = token_sampling.distribution(logits, Sampling(temperature=0.5, top_k=3, top_p=0.8))
    assert after.tolist() == pytest.approx([0, 16 / 25, 0, 9 / 25])


@pytest.mark.sample(2)
@pytest.mark.parametrize("sampling", [Sampling(), Sampling(0.7), Sampling(1.6, top_k=5), Sampling(1.3, top_p=0.8)])
def test_drawn_frequencies_match_the_probabilities(sampling: Sampling) -> None:
    """Chi-square over a fixed seed, at the level of one in a thousand."""
    logits = logits_of(tiny(seed=2), START, [7, 5])[-1]
    expected = (logits.double() / sampling.temperature).softmax(-1).numpy()
    order = np.argsort(-expected)
    keep = sampling.top_k or len(order)
    if sampling.top_p < 1:
        keep = int(np.searchsorted(expected[order].cumsum(), sampling.top_p)) + 1
    expected[order[keep:]] = 0
    expected /= expected.sum()
    draws = 20_000
    probabilities = token_sampling.distribution(logits, sampling)
    counts = np.bincount(
        [token_sampling.draw(probabilities, u) for u in token_sampling.uniforms(3, draws).tolist()], minlength=19
    )
    assert counts[expected == 0].sum() == 0
    mask = expected > 0
    chi = float((((counts - draws * expected) ** 2)[mask] / (draws * expected[mask])).sum())
    freedom = int(mask.sum()) - 1
    critical = freedom * (1 - 2 / (9 * freedom) + 3.09 * math.sqrt(2 / (9 * freedom))) ** 3  # Wilson and Hilferty
    assert chi < critical


def test_first_words_of_many_seeds_match_too() -> None:
    model, start = tiny(seed=2), DecodingStart(SOURCE, (BOS,), 1)
    expected = logits_of(model, start, [])[-1].double().softmax(-1).numpy()
    counts = np.bincount(
        [forced_tokens.follow(model, start, (), Sampling(seed=n)).ids[0] for n in range(600)], minlength=19
    )
    common = expected > 0.01  # at least six draws each
    rest = 1 - expected[common].sum()
    chi = float(((counts - 600 * expected) ** 2 / (600 * expected))[common].sum())
    chi += (counts[~common].sum() - 600 * rest) ** 2 / (600 * rest)
    freedom = int(common.sum())
    assert chi < freedom * (1 - 2 / (9 * freedom) + 3.09 * math.sqrt(2 / (9 * freedom))) ** 3


def test_a_seed_gives_the_same_output_and_a_low_temperature_the_greedy_one() -> None:
    model = tiny(seed=4)
    runs = [forced_tokens.follow(model, START, (), Sampling(seed=n)) for n in (1, 1, 2)]
    assert runs[0] == runs[1] != runs[2]
    trained = german_english()
    start = decoding_start(trained, KINO)
    assert forced_tokens.follow(trained.model, start, (), Sampling(0.01)) == forced_tokens.follow(trained.model, start)
    assert forced_tokens.follow(model, START, (), Sampling(5, top_k=1)) == forced_tokens.follow(model, START)
    first = runs[0].ids
    assert (
        forced_tokens.branch(model, START, runs[0], 2, first[2], Sampling(seed=1)) == runs[0]
    )  # draws belong to steps


@pytest.mark.parametrize("values", [{"temperature": 0}, {"top_p": 0}, {"top_p": 1.5}, {"top_k": -1}])
def test_bad_settings_are_refused(values: dict) -> None:
    with pytest.raises(InvalidInput) as error:
        Sampling(**values)
    assert error.value.code == "sampling"


# candidates


def test_candidates_are_the_softmax_of_the_step() -> None:
    logits = logits_of(tiny(seed=1), START, [7])[-1].numpy()
    shares = np.exp(logits.astype(np.float64)) / np.exp(logits.astype(np.float64)).sum()
    order = np.argsort(-shares)
    result = token_sampling.candidates(logits, int(order[2]), 4)
    assert result.ids == tuple(order[:4].tolist())
    assert result.probabilities == pytest.approx(shares[order[:4]])
    assert result.others == pytest.approx(shares[order[4:]].sum())
    assert (result.chosen_rank, result.drawn) == (3, None)
    assert result.chosen_probability == pytest.approx(shares[order[2]])
    far = token_sampling.candidates(logits, int(order[10]), 4, Sampling(top_k=2))
    assert far.ids == (*order[:4].tolist(), order[10])
    assert far.drawn is not None
    assert far.drawn[2:] == (0, 0, 0)
    assert sum(far.probabilities) + far.others == pytest.approx(1)
    assert sum(far.drawn) + (far.others_drawn or 0) == pytest.approx(1)


# a given output


@pytest.mark.parametrize("text", ["We go to the cinema today.", "We're going to the cinema today.", "I am a dog."])
def test_a_given_output_has_the_log_softmax_of_its_trace(text: str) -> None:
    checkpoint = german_english()
    start = decoding_start(checkpoint, KINO)
    ids = scoring.output_ids(checkpoint, start, text)
    assert ids[-1] == EOS
    assert checkpoint.tokenizer.decode(ids) == text
    score = scoring.score_output(checkpoint, start, ids, forced_tokens.follow(checkpoint.model, start).ids)
    rows = logits_of(checkpoint.model, start, list(ids[:-1])).double().log_softmax(-1)
    expected = [float(row[id_]) for row, id_ in zip(rows, ids, strict=True)]
    assert score.log_probabilities == pytest.approx(expected, abs=1e-4)
    assert score.total == pytest.approx(sum(expected), abs=1e-3)
    assert score.perplexity == pytest.approx(math.exp(-sum(expected) / len(ids)), rel=1e-3)
    assert score.best == tuple(rows.argmax(-1).tolist())
    ranks = [int((row >= row[id_]).sum()) for row, id_ in zip(rows, ids, strict=True)]
    assert score.ranks == tuple(ranks)
    free = forced_tokens.follow(checkpoint.model, start).ids
    assert score.free == free
    own = logits_of(checkpoint.model, start, list(free[:-1])).double().log_softmax(-1)
    common = min(len(ids), len(free))
    assert score.own == pytest.approx([float(own[t, ids[t]]) for t in range(common)], abs=1e-4)
    assert sum(score.free_log_probabilities) == pytest.approx(
        sum(float(own[t, id_]) for t, id_ in enumerate(free)), abs=1e-3
    )


def test_a_space_at_an_end_is_typed_as_a_mark_where_every_character_is_a_token() -> None:
    letters = Tokenizer.characters(["to be or not"], [])
    ids = letters.encode("▁to be▁")[1:-1]
    assert letters.tokens(ids) == ("␣", "t", "o", "␣", "b", "e", "␣")
    assert scoring.shown(letters, [*ids, EOS]) == "␣to be␣"
    assert letters.encode(scoring.typed(letters, "␣to be␣"))[1:-1] == ids
    assert scoring.shown(letters, ids[:1]) == "␣"
    assert scoring.shown(letters, ids[1:6]) == letters.decode(ids) == "to be"
    pieces = german_english().tokenizer
    assert scoring.typed(pieces, "␣to") == "␣to"
    assert scoring.shown(pieces, pieces.encode("to be")) == "to be"


def test_the_model_s_own_output_surprises_it_nowhere() -> None:
    checkpoint = german_english()
    start = decoding_start(checkpoint, KINO)
    free = forced_tokens.follow(checkpoint.model, start).ids
    score = scoring.score_output(checkpoint, start, free, free)
    assert set(score.ranks) == {1}
    assert score.best == free
    assert score.own == pytest.approx(score.log_probabilities, abs=1e-5)


def test_beam_scores_are_those_of_fresh_passes() -> None:
    """The same log-probabilities by two ways of this project, and by neither of them."""
    checkpoint = german_english()
    start = decoding_start(checkpoint, KINO)
    tree = beam_search(checkpoint.model, start.source, start.limit, beam=3)
    for hypothesis in tree.hypotheses:
        rows = logits_of(checkpoint.model, start, list(hypothesis.ids[:-1])).double().log_softmax(-1)
        total = sum(float(row[id_]) for row, id_ in zip(rows, hypothesis.ids, strict=True))
        assert hypothesis.log_probability == pytest.approx(total, abs=1e-3)
        score = scoring.score_output(checkpoint, start, hypothesis.ids, hypothesis.ids)
        assert score.total == pytest.approx(total, abs=1e-3)
        assert hypothesis.score == pytest.approx(total / ((5 + len(hypothesis.ids)) / 6) ** 0.6, abs=1e-3)


# what the cache saves


def test_the_work_of_a_small_case_by_hand() -> None:
    """One layer, d 2, d_ff 3, vocabulary 5, three source tokens; the third step reads three tokens."""
    config = TransformerConfig(
        source_vocabulary=5, target_vocabulary=5, d_model=2, heads=1, encoder_layers=1, decoder_layers=1, d_ff=3
    )
    start = DecodingStart((1, 4, 2), (BOS,), 9)
    cached, anew = cache_cost.step_work(config, start, 2)
    # one new token: four 2 × 2 projections; 3 scores and 3 weighted values of 2 numbers; two more projections and
    # as much for the source; 2 × 3 and 3 × 2; 2 × 5
    assert vars(cached) == {"projections": 16, "attention": 12, "cross": 8 + 12, "feed_forward": 12, "logits": 10}
    # all three tokens, and the source's keys and values: two 2 × 2 projections of 3 tokens
    assert vars(anew) == {
        "projections": 48, "attention": 36, "cross": 24 + 36 + 24, "feed_forward": 36, "logits": 30,
    }  # fmt: skip
    assert (cached.total, anew.total) == (70, 234)
    first = cache_cost.step_work(config, start, 0)
    assert first[0] == first[1]
    assert cache_cost.cached_numbers(config, start, 2) == 2 * 2 * (3 + 3)


@pytest.mark.parametrize(("make", "start"), KINDS)
def test_the_work_is_what_torch_counts(make, start: DecodingStart) -> None:
    """torch's own counter sees two floating-point operations for each multiplication."""
    model = make(0)
    ids = (5, 6, 7, 8)
    memory = None
    with torch.inference_mode():
        if start.source:
            source = torch.tensor([list(start.source)])
            memory = model.encode(source, torch.ones_like(source, dtype=torch.bool))
        caches = [LayerCache() for _ in model.decoder]
        new = torch.tensor([list(start.prompt)])
        for step in range(len(ids)):
            read = torch.tensor([[*start.prompt, *ids[:step]]])
            with FlopCounterMode(display=False) as with_cache:
                model.decode(new, memory, None, caches=caches)
            with FlopCounterMode(display=False) as without:
                model.decode(read, memory, None)
            cached, anew = cache_cost.step_work(model.config, start, step)
            assert with_cache.get_total_flops() == 2 * cached.total
            assert without.get_total_flops() == 2 * anew.total
            key_values = [*(c.self_attention for c in caches), *(c.cross_attention for c in caches)]
            numbers = sum(t.numel() for each in key_values for t in (each.k, each.v) if t is not None)
            assert numbers == cache_cost.cached_numbers(model.config, start, step)
            new = torch.tensor([[ids[step]]])


def test_an_encoder_alone_writes_nothing() -> None:
    from model import presets
    from model.checkpoint import checkpoints
    from model.checkpoint.catalogue import Entry, load_tokenizer
    from tests.samples import SAMPLES

    tokenizer = load_tokenizer(Entry(SAMPLES / "de-en"))
    with pytest.raises(InvalidInput) as error:
        decoding_start(checkpoints.untrained(presets.find("mini-encoder"), 0, tokenizer), KINO)
    assert error.value.code == "beam_architecture"
    gpt = checkpoints.untrained(presets.find("gpt"), 0, tokenizer)
    start = decoding_start(gpt, KINO)
    run = translate(gpt, KINO)
    assert start.read(forced_tokens.follow(gpt.model, start).ids) == run.target
    assert scoring.output_ids(gpt, start, "and then")[-1] != EOS
    with pytest.raises(InvalidInput):
        scoring.output_ids(gpt, start, "and " * 60)
