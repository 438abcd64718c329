"""The command line: list, describe, translate, trace, recipes, train, import, evaluate, pairs, live.

Measurements over sentences are attribution, roles, ablation and features; `why` is about one written token.
"""

import argparse
import dataclasses
import json
import os
import sys
from collections.abc import Callable
from contextlib import contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from model import device, presets
from model.checkpoint import catalogue
from model.errors import InvalidInput


def main(arguments: list[str] | None = None) -> int:
    """Run one command; bad input is one sentence on stderr and exit status 2."""
    options = _parser().parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    try:
        device.check()
        options.run(options)
    except BrokenPipeError:  # `… | head` has seen enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - or Python complains again at exit
        return 0
    except UnicodeDecodeError:
        print("glassformer: the input is not UTF-8 text: convert it first.", file=sys.stderr)
        return 2
    except (InvalidInput, OSError) as error:
        print(f"glassformer: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m model", description="Glassformer's models on the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run, help_: str) -> argparse.ArgumentParser:
        new_parser = commands.add_parser(name, help=help_, description=help_)
        new_parser.set_defaults(run=run)
        return new_parser

    command("list", _list, "a line per checkpoint")
    describe = command("describe", _describe, "config and parameter counts of a checkpoint or a preset, as JSON")
    describe.add_argument("name", help="a preset that shares its name with a checkpoint is untrained-NAME")
    translate = command(
        "translate",
        _translate,
        "a sentence per line on stdin, a translation per line on stdout; empty lines stay empty",
    )
    trace = command("trace", _trace, "write the values of a pass to a file")
    why = command("why", _why, "which words and which parts caused one written token, as JSON")
    roles = command("roles", _roles, "how well each head fits each role, as JSON")
    ablation = command("ablation", _ablation, "what each head and feed-forward does, removed or carried over, as JSON")
    for subparser in (translate, trace, why, roles, ablation):
        subparser.add_argument("name", help="a checkpoint, or with --untrained a preset")
        subparser.add_argument("--untrained", action="store_true", help="run a preset with random weights")
        subparser.add_argument("--seed", type=int, default=0, help="of the random weights")
        subparser.add_argument("--reads", metavar="NAME", help="the checkpoint whose tokenizer a preset reads with")
    why.add_argument("sentence")
    why.add_argument("--show", choices=["words", "trust", "parts", "origin"], default="words", help="(default: words)")
    why.add_argument("--step", type=int, default=0, metavar="N", help="of the written tokens, from 0")
    why.add_argument("--rather", type=int, metavar="ID", help="why this token, and not that of this id")
    why.add_argument("--whole", action="store_true", help="whole words where tokens are characters")
    why.add_argument("--head", metavar="cross.1.0", help="also where this head looks, and what it takes")
    roles.add_argument("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of the card's")
    trace.add_argument("sentence")
    trace.add_argument("--target", help="trace this translation instead of the model's own")
    trace.add_argument(
        "--only", action="append", default=[], metavar="NAMES", help="values to write; * stands for any text"
    )
    trace.add_argument("--out", type=Path, required=True, help="FILE.npz, FILE.json or FILE.parquet")
    recipes = command("recipes", _recipes, "the commands that make sample checkpoints, a line each")
    recipes.add_argument("names", nargs="*", metavar="NAME", help="(default: every recipe)")
    recipes.add_argument("--live", action="store_true", help="the names of the models of `make live` instead")
    train = command("train", _train, "make a checkpoint again from its recipe, or a new one from a preset")
    train.add_argument("name", help="a recipe, or with --untrained a preset")
    train.add_argument("--out", type=Path, help="folder of the checkpoint (default for a recipe: among the samples)")
    train.add_argument("--untrained", action="store_true", help="train a preset from random weights")
    train.add_argument("--seed", type=int, help="of a preset's random weights and training (default: 0)")
    train.add_argument("--steps", type=int, help="of a preset's training (default: 300)")
    import_ = command("import", _import, "make a checkpoint of a Hugging Face model")
    import_.add_argument("source", metavar="FOLDER|NAME", help="its folder, or its name on the hub")
    import_.add_argument("--revision", help="branch, tag or commit on the hub")
    import_.add_argument("--name", help="of the checkpoint (default: the last part of the source)")
    import_.add_argument("--half", action="store_true", help="store half precision: half the size")
    import_.add_argument("--example", action="append", default=[], help="a sentence for its card; may be repeated")
    import_.add_argument(
        "--check",
        action=argparse.BooleanOptionalAction,
        help="compare with transformers (default: if installed)",
    )
    import_.add_argument("--out", type=Path, metavar="DIR", help="folder of checkpoints (default: where the app looks)")
    evaluate = command("evaluate", _evaluate, "the figures of a checkpoint's card again, or its scores on other pairs")
    evaluate.add_argument("name")
    evaluate.add_argument("--pairs", type=Path, metavar="FILE.tsv", help="BLEU, chrF and exact match on these instead")
    evaluate.add_argument("--card", action="store_true", help="write the figures into the card")
    attribution = command("attribution", _attribution, "how far each method of attribution can be trusted, as JSON")
    attribution.add_argument("name")
    attribution.add_argument("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of held-out ones")
    attribution.add_argument("--card", action="store_true", help="write the result into the card")
    ablation.add_argument("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of held-out ones")
    ablation.add_argument("--examples", action="store_true", help="the card's sentences instead of held-out ones")
    ablation.add_argument("--save", action="store_true", help="record the result beside the checkpoint")
    edges = command("edges", _edges, "what each edge between parts carries, patched and estimated, as JSON")
    edges.add_argument("name")
    edges.add_argument("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of held-out ones")
    edges.add_argument("--seed", type=int, default=0, help="of the weights of the random twin")
    edges.add_argument("--save", action="store_true", help="record the result beside the checkpoint")
    alignment = command("alignment", _alignment, "the alignment error rate of every cross-attention head, as JSON")
    removal = command("removal", _removal, "the score as heads are removed one after another, as JSON")
    for subparser in (alignment, removal):
        subparser.add_argument("name")
        subparser.add_argument("--save", action="store_true", help="record the result beside the checkpoint")
    sinks = command("sinks", _sinks, "how much weight special tokens have, and what norms take away of it, as JSON")
    sinks.add_argument("name")
    sinks.add_argument("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of held-out ones")
    sinks.add_argument("--save", action="store_true", help="record the result beside the checkpoint")
    lenses = command("lenses", _lenses, "fit the Jacobian lens and the tuned lens, and what every lens scores, as JSON")
    lenses.add_argument("name")
    lenses.add_argument("--pairs", type=Path, metavar="FILE.tsv", help="fit and measure on these, not on the recipe's")
    lenses.add_argument("--save", action="store_true", help="record lenses and scores beside the checkpoint")
    features = command("features", _features, "a dictionary of what a model's vectors say, trained and scored, as JSON")
    features.add_argument("name")
    features.add_argument("--site", default="", help="a recorded name, or encoder.0.feed_forward (default: the first)")
    features.add_argument("--features", type=int, default=0, metavar="N", help="default: eight for each number")
    features.add_argument("--active", type=int, default=8, metavar="K", help="features of one vector (default: 8)")
    features.add_argument("--steps", type=int, help="of the training (default: 4000)")
    features.add_argument("--seed", type=int, default=0)
    features.add_argument("--lines", type=Path, metavar="FILE.txt", help="these sentences instead of the corpus")
    features.add_argument("--again", action="store_true", help="names and suggestions of the stored one, nothing else")
    features.add_argument("--save", action="store_true", help="store it beside the checkpoint")
    pairs = command("pairs", _pairs, "print a recipe's pairs as TSV, for example its held-out ones")
    pairs.add_argument("recipe")
    pairs.add_argument("--split", choices=["train", "validation", "test"], default="test")
    live = command("live", _live, "write web pages in which models run without a server, and print their files")
    live.add_argument("names", nargs="+", metavar="NAME", help="a checkpoint")
    live.add_argument("--out", type=Path, metavar="FOLDER", required=True)
    live.add_argument("--single", action="store_true", help="write one file NAME.html for each, which needs no other")
    live.add_argument("--scorm", action="store_true", help="write packages for learning platforms to FOLDER/scorm, too")
    return parser


def _list(options: argparse.Namespace) -> None:
    for entry in catalogue.entries().values():
        try:
            card = entry.card
            languages = [card[side] for side in ("source_language", "target_language") if side in card]
            does = " → ".join(languages) if card["task"] == "translation" else card["task"]
            print(f"{entry.name}\t{does}\t{card['parameters']['total']:,} parameters")
        except InvalidInput as error:
            print(f"{entry.name}\tdamaged: {error}")


def _describe(options: argparse.Namespace) -> None:
    from model.initial_weights import count_parameters, shapes_only
    from model.transformer import Transformer

    preset = options.name.removeprefix(catalogue.UNTRAINED)
    if options.name in catalogue.entries():
        config = catalogue.find(options.name).config
    elif preset in presets.PRESETS:
        config = presets.find(preset).config
    else:
        names = [*catalogue.entries(), *presets.PRESETS]
        raise InvalidInput("checkpoint_unknown", name=options.name, choices=", ".join(names))
    with shapes_only():
        parts = count_parameters(Transformer(config))
    total = parts["total"]
    tables = sum(count for part, count in parts.items() if "embedding" in part or part == "position_tables")
    counts = {"parameters": parts, "parameters_without_embeddings": total - tables}
    print(json.dumps({"name": options.name, "config": dataclasses.asdict(config), **counts}, indent=2))


def _translate(options: argparse.Namespace) -> None:
    from model.decode import translate as decode_translate

    checkpoint = _load(options)
    # lines end at \n alone, and bytes that are not UTF-8 are an error, whatever the terminal's settings
    text = sys.stdin.buffer.read().decode("utf-8")
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
    sentences = {number: line for number, line in enumerate(lines) if line.strip()}
    for number, sentence in sentences.items():
        try:
            decode_translate.encode(checkpoint, sentence)
        except InvalidInput as error:
            raise InvalidInput("line", number=number + 1, problem=error) from None
    translations = decode_translate.translate_all(checkpoint, list(sentences.values()))
    written = dict(zip(sentences, translations, strict=True))
    for number in range(len(lines)):
        print(written.get(number, ""))  # an empty line stays empty


def _trace(options: argparse.Namespace) -> None:
    from model.decode import translate as decode_translate
    from model.recordings import trace_files

    checkpoint = _load(options)
    if options.target is None:
        trace = decode_translate.translate(checkpoint, options.sentence).trace
    else:
        trace = decode_translate.trace_pair(checkpoint, options.sentence, options.target)
    trace_files.write(trace, options.out, trace_files.chosen(trace, options.only))


def _why(options: argparse.Namespace) -> None:
    from model.attribution import told

    checkpoint = _load(options)
    question = told.asked(checkpoint, options.sentence, options.step, options.rather, options.whole)
    result = told.about(checkpoint, question) | told.VIEWS[options.show](checkpoint, question)
    if options.head:
        result["head"] = told.of_head(checkpoint, question, options.head)
    print(json.dumps(result, indent=2, ensure_ascii=False))


def _train(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from model.build import build
    from model.forecast import build_forecaster

    if options.untrained and presets.find(options.name).config.inputs == "numbers":
        return _train_forecaster(options)
    if options.name == build_forecaster.NAME:
        return _build_forecaster(options)
    recipe, out = _recipe(options)
    with tqdm(total=recipe.steps, unit="step") as bar:
        validation = ""

        def progress(report) -> None:
            nonlocal validation
            evaluation = getattr(report, "evaluation", report)  # a run does not measure at each report
            if evaluation:
                validation = f", validation {evaluation.validation_loss:.3f}"
            bar.update(report.step - bar.n)
            bar.set_postfix_str(f"loss {report.loss:.3f}{validation}")

        entry = build.build(recipe, out, progress)
    print(json.dumps(entry.card["scores"], indent=2))


def _recipe(options: argparse.Namespace):
    """Find the recipe of a training, and the folder for it."""
    from model.build import recipes

    if options.untrained:
        steps = recipes.PRESET_STEPS if options.steps is None else options.steps
        recipe = recipes.for_preset(options.name, options.seed or 0, steps)
        if options.out is None:
            raise InvalidInput("train_out")
        return recipe, options.out
    if options.name in presets.PRESETS and options.name not in recipes.RECIPES:
        raise InvalidInput("train_preset", name=options.name)
    if (options.seed, options.steps) != (None, None):
        raise InvalidInput("train_options")
    recipe = recipes.find(options.name)
    return recipe, options.out or catalogue.folder() / recipe.name


def _recipes(options: argparse.Namespace) -> None:
    from model.build import recipes
    from model.forecast import build_forecaster

    if options.live:
        print(*(name for name, recipe in recipes.RECIPES.items() if recipe.live))
        return
    for name in options.names or (*recipes.RECIPES, build_forecaster.NAME):
        commands = [build_forecaster.COMMAND] if name == build_forecaster.NAME else recipes.find(name).commands()
        print(*commands, sep="\n")


def _import(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from model.pretrained import download, importing, other_formats, proof
    from model.pretrained.card import Origin
    from model.pretrained.folder import located
    from model.tokenization.token_text import is_visible

    folder = Path(options.source)
    other_formats.refuse(folder)
    if not folder.is_dir():
        if folder.is_absolute() or options.source.count("/") > 1:  # no name on the hub
            raise InvalidInput("import_folder", folder=folder)
        folder, revision = download.fetch(options.source, options.revision)
        source = options.source
    else:
        folder, source, revision = located(folder)
    name = options.name or importing.default_name(source)
    out = options.out or catalogue.folder()
    with tqdm(unit="tensor", leave=False, disable=None) as bar:  # a pipe gets none

        def progress(count: int, total: int) -> None:
            bar.total = total
            bar.update(count - bar.n)

        if options.check and (out / name).exists():
            entry = catalogue.Entry(out / name)
            importing.check_again(folder, entry, progress)
        else:
            entry = importing.import_folder(
                folder,
                out,
                name,
                Origin(source, revision),
                half=options.half,
                examples=options.example,
                check=options.check,
                progress=progress,
                say=lambda sentence: print(f"glassformer: {sentence}", file=sys.stderr),
            )
    card = entry.card
    print(f"{entry.folder}\t{card['parameters']['total']:,} parameters\tlicence: {card['imported']['licence']}")
    written = card["example_translation"]
    print(f"{card['examples'][0]} → {written}" if any(map(is_visible, written)) else card["examples"][0])
    if checked := card.get("checked"):
        print(f"checked against transformers {checked['version']}: largest difference {checked['difference']:.0e}")
        if otherwise := checked.get("otherwise"):
            print(f"transformers cuts these texts into other tokens: {', '.join(map(repr, otherwise))}")
    elif proof.is_possible():
        print("not checked against transformers")
    else:
        print("not checked against transformers: install it, and run the command again with --check")


def _train_forecaster(options: argparse.Namespace) -> None:
    """Train on the shipped prices; prints errors of one-step forecasts beside those of naive ones, as JSON."""
    import torch

    from model.forecast import build_forecaster, forecasting, naive, prices

    if options.steps is not None or options.out is not None:
        raise InvalidInput("train_numbers", name=options.name)
    torch.set_num_threads(1)
    settings = dataclasses.replace(forecasting.QUICK, seed=options.seed or 0)
    series = prices.split_in_time(prices.load_prices(), settings.window)
    with _epochs(settings.epochs) as progress:
        model, _ = build_forecaster.train(series, settings, progress)
    comparison = naive.compare(series, forecasting.one_step(model, series, settings.window))
    verdicts = {name: difference.verdict for name, difference in comparison.differences.items()}
    print(json.dumps(dataclasses.asdict(comparison) | {"against_naive": verdicts}, indent=2))


def _build_forecaster(options: argparse.Namespace) -> None:
    """The forecaster's checkpoint, which learns from prices and so has a recipe of its own."""
    from model.forecast import build_forecaster, forecasting

    if (options.seed, options.steps) != (None, None):
        raise InvalidInput("train_options")
    with _epochs(forecasting.QUICK.epochs) as progress:
        entry = build_forecaster.build(options.out or catalogue.folder() / build_forecaster.NAME, progress)
    print(json.dumps(entry.card["scores"], indent=2))


@contextmanager
def _epochs(count: int):
    """A bar on stderr for the epochs of the forecaster; gives what is to be told each report."""
    from tqdm import tqdm

    with tqdm(total=count, unit="epoch") as bar:

        def progress(report) -> None:
            bar.update(report.epoch - 1 + (report.batch == report.batches) - bar.n)
            bar.set_postfix_str(f"loss {report.loss:.3f}")

        yield progress


def _evaluate(options: argparse.Namespace) -> None:
    from model.build.evaluation import evaluate

    checkpoint = _load(options)
    if options.pairs is None:
        return _evaluate_again(options, checkpoint)
    print(json.dumps(evaluate(checkpoint, _read_pairs(options.pairs)).rounded(), indent=2))


def _read_pairs(file: Path):
    """The pairs of a file, one at least."""
    from corpora.pairs import read_tsv

    try:
        pairs = read_tsv(file)
    except ValueError as error:
        raise InvalidInput("pairs_file", file=file, problem=error) from None
    if not pairs:
        raise InvalidInput("pairs_file", file=file, problem="it holds no pair")
    return pairs


def _evaluate_again(options: argparse.Namespace, checkpoint) -> None:
    """On the held-out data of the checkpoint's recipe."""
    from model.build import build, recipes
    from model.build.evaluation import judge

    recipe, entry = recipes.find(options.name), catalogue.find(options.name)
    if options.card:
        build.describe(recipe, entry)
        scores = catalogue.find(options.name).card["scores"]
    else:
        scores = judge(checkpoint, entry.card["task"], recipe.corpus(recipe.seed)).scores
    print(json.dumps(scores, indent=2))


def _over_sentences(options: argparse.Namespace, most: int, measure: Callable[..., Any]) -> Any:
    """What `measure(checkpoint, sentences, report=…)` gives for so many sentences at most, with its progress."""
    from tqdm import tqdm

    checkpoint = _load(options)
    sentences = _sentences(options, checkpoint, most)
    with tqdm(total=len(sentences), unit="sentence") as bar:
        return measure(checkpoint, sentences, report=lambda count: bar.update(count - bar.n))


def _attribution(options: argparse.Namespace) -> None:
    from model.analysis.labels import WITHOUT_PROBABILITY, kind_of
    from model.build import attributions

    if kind_of(catalogue.find(options.name).config) in WITHOUT_PROBABILITY:
        raise InvalidInput("attribution_number", name=options.name)
    results = _over_sentences(options, attributions.SENTENCES, attributions.measure)
    if options.card:
        attributions.record(catalogue.find(options.name), results)
    print(json.dumps(results, indent=2))


def _roles(options: argparse.Namespace) -> None:
    from model.build import head_scores
    from model.circuits import card_sentences

    options.examples = True
    print(json.dumps(_over_sentences(options, card_sentences.MOST, head_scores.measure), indent=2))


def _ablation(options: argparse.Namespace) -> None:
    from model.build import ablations, recorded_json

    if options.untrained and options.save:
        raise InvalidInput("record_untrained")
    checkpoint = _load(options)
    sentences = _sentences(options, checkpoint, ablations.SENTENCES)
    with _percent() as report:
        results = ablations.measure(checkpoint, sentences, report)
    if options.save:
        recorded_json.write(catalogue.find(options.name), ablations.FILE, results)
    print(json.dumps(results, indent=2))


def _edges(options: argparse.Namespace) -> None:
    from model.build import edge_effects, recorded_json

    measure = partial(edge_effects.measure, seed=options.seed)
    results = _over_sentences(options, edge_effects.SENTENCES, measure)
    if options.save:
        recorded_json.write(catalogue.find(options.name), edge_effects.FILE, results)
    print(json.dumps(results, indent=2))


def _sinks(options: argparse.Namespace) -> None:
    from model.build import recorded_json, sinks

    results = _over_sentences(options, sinks.SENTENCES, sinks.measure)
    if options.save:
        recorded_json.write(catalogue.find(options.name), sinks.FILE, results)
    print(json.dumps(results, indent=2))


def _alignment(options: argparse.Namespace) -> None:
    from model.build import recorded_json, word_alignments

    entry = catalogue.find(options.name)
    word_alignments.grammar_of(entry)
    with _percent() as report:
        results = word_alignments.measure(entry, _load(options), report)
    if options.save:
        recorded_json.write(entry, word_alignments.FILE, results)
    print(json.dumps(results, indent=2))


def _removal(options: argparse.Namespace) -> None:
    from model.build import recipes, recorded_json, removals

    recipe = recipes.find(options.name)
    with _percent() as report:
        results = removals.measure(_load(options), recipe.corpus(recipe.seed), report)
    if options.save:
        recorded_json.write(catalogue.find(options.name), removals.FILE, results)
    print(json.dumps(results, indent=2))


_PERCENT = "{l_bar}{bar}| [{elapsed}<{remaining}]"  # of a bar that counts to 100; a rate would be in % per second


@contextmanager
def _percent():
    """A bar that is told how much is done, in %."""
    from tqdm import tqdm

    with tqdm(total=100, bar_format=_PERCENT) as bar:
        yield lambda count: bar.update(count - bar.n)


def _features(options: argparse.Namespace) -> None:
    from model.features import record, store

    checkpoint, entry = _load(options), catalogue.find(options.name)
    lines = options.lines.read_text(encoding="utf-8").splitlines() if options.lines is not None else ()
    if options.again:
        from model.features import sites

        site = sites.find(checkpoint.model.config, options.site).name
        stored = record.again(checkpoint, entry, store.load(entry, site), lines)
    else:
        stored = _new_dictionary(options, checkpoint, entry, lines)
    if options.save:
        store.save(entry.folder, stored)
    print(json.dumps(stored.card, indent=2, ensure_ascii=False))


def _new_dictionary(options: argparse.Namespace, checkpoint, entry, lines):
    """Train and score one, with a bar of its progress."""
    from tqdm import tqdm

    from model.features import record
    from model.features.training import Settings

    settings = Settings(features=options.features, active=options.active, seed=options.seed)
    if options.steps is not None:
        settings = dataclasses.replace(settings, steps=options.steps)
    with tqdm(total=100, bar_format=_PERCENT) as bar:

        def progress(stage: str, share: float) -> None:
            bar.set_description(stage)
            bar.update(round(100 * share) - bar.n)

        return record.make(checkpoint, entry, options.site, settings, lines, progress)


def _sentences(options: argparse.Namespace, checkpoint, count: int) -> list[str]:
    """The lines of a file, sentences of the card where these are asked for, or held-out ones of the recipe."""
    from model.attribution.why_question import can_ask
    from model.build import attributions, recipes
    from model.circuits import card_sentences

    if options.run is not _roles and not can_ask(checkpoint):
        raise InvalidInput("attribution_vectors", name=options.name)
    if options.lines is not None:
        return options.lines.read_text(encoding="utf-8").splitlines()
    if getattr(options, "examples", False) or getattr(options, "untrained", False):
        return card_sentences.readable(_entry(options), checkpoint)
    return attributions.held_out(recipes.find(options.name), checkpoint, count)


def _lenses(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from model.build import lenses, recipes

    checkpoint = _load(options)
    if options.pairs is None:
        data = lenses.of_recipe(recipes.find(options.name))
    else:
        data = lenses.of_pairs(_read_pairs(options.pairs))
    with tqdm(total=100, bar_format=_PERCENT) as bar:
        fitted, scores = lenses.measure(checkpoint, data, lambda percent: bar.update(percent - bar.n))
    if options.save:
        lenses.record(catalogue.find(options.name), fitted, scores)
    print(json.dumps(scores, indent=2))


def _pairs(options: argparse.Namespace) -> None:
    from model.build import recipes

    recipe = recipes.find(options.recipe)
    corpus = recipe.corpus(recipe.seed)
    sets = {"train": corpus.train(0)} if options.split == "train" else corpus.tests(options.split)
    for pairs in sets.values():
        for pair in pairs:
            print(f"{pair.source}\t{pair.target}")


def _live(options: argparse.Namespace) -> None:
    import torch

    from live import pages
    from live.units import writing

    torch.set_num_threads(1)
    entries = [catalogue.find(name) for name in dict.fromkeys(options.names)]
    for entry in entries:
        pages.check(entry)
    write = pages.write_single if options.single else pages.write_folder
    packages = writing.write_units(options.out / "scorm") if options.scorm else ()
    for path in chain(write(entries, options.out), packages):
        print(f"{path}\t{path.stat().st_size:,} bytes", flush=True)


def _load(options: argparse.Namespace):
    import torch

    from model.checkpoint import checkpoints

    torch.set_num_threads(1)
    return checkpoints.load(_entry(options))


def _entry(options: argparse.Namespace) -> catalogue.Entry:
    """The checkpoint, or the preset with random weights, which reads with the tokenizer of a checkpoint."""
    if not getattr(options, "untrained", False):
        entry = catalogue.find(options.name)
        if not entry.reads_text:
            raise InvalidInput("checkpoint_numbers", name=entry.name)
        return entry
    if presets.find(options.name).config.inputs == "numbers":
        raise InvalidInput("preset_numbers", name=options.name)
    entries = catalogue.entries()
    if not entries:
        raise InvalidInput("checkpoint_unknown", name=catalogue.FIRST, choices="–")
    reads = catalogue.find(options.reads) if options.reads else catalogue.default(entries)
    return catalogue.Untrained(reads.folder, options.name, options.seed)


if __name__ == "__main__":
    sys.exit(main())
