"""The command line: `python -m model COMMAND`; a measurement is a command too."""

import argparse
import dataclasses
import json
import os
import sys
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

from model import device, presets
from model.checkpoint import catalogue
from model.errors import InvalidInput
from model.measurements.asked import MODEL, Asked, Option, pairs_of
from model.measurements.measurement import measurements


def main(arguments: list[str] | None = None) -> int:
    """Run one command; bad input is one sentence on stderr and exit status 2."""
    arguments = sys.argv[1:] if arguments is None else arguments
    options = _parser("".join(arguments[:1])).parse_args(arguments)
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


def _parser(asked: str) -> argparse.ArgumentParser:
    """Every command; without the measurements, whose import loads torch, where another command is asked for."""
    parser = argparse.ArgumentParser(prog="python -m model", description="Glassformer's models on the command line.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def command(name: str, run, help_: str) -> argparse.ArgumentParser:
        new_parser = commands.add_parser(name, help=help_, description=help_)
        new_parser.set_defaults(run=run)
        return new_parser

    def add(parser: argparse.ArgumentParser, *options: Option) -> None:
        for option, settings in options:
            parser.add_argument(option, **settings)

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
    why_there = command("why-there", _why_there, "which parts of query and key make an attention weight, as JSON")
    for subparser in (translate, trace, why, why_there):
        add(subparser, *MODEL)
    why.add_argument("sentence")
    why.add_argument("--show", choices=["words", "trust", "parts", "origin"], default="words", help="(default: words)")
    why.add_argument("--step", type=int, default=0, metavar="N", help="of the written tokens, from 0")
    why.add_argument("--rather", type=int, metavar="ID", help="why this token, and not that of this id")
    why.add_argument("--whole", action="store_true", help="whole words where tokens are characters")
    why.add_argument("--head", metavar="cross.1.0", help="also where this head looks, and what it takes")
    why_there.add_argument("sentence")
    why_there.add_argument("--head", required=True, metavar="cross.1.0", help="kind, layer and head")
    why_there.add_argument("--query", type=int, required=True, metavar="N", help="row of the weight, from 0")
    why_there.add_argument("--key", type=int, required=True, metavar="N", help="its column, from 0")
    why_there.add_argument("--most", type=int, default=20, metavar="N", help="of the largest terms (default: 20)")
    why_there.add_argument("--features", action="store_true", help="features of the encoder as parts of the key")
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
    pairs = command("pairs", _pairs, "print a recipe's pairs as TSV, for example its held-out ones")
    pairs.add_argument("recipe")
    pairs.add_argument("--split", choices=["train", "validation", "test"], default="test")
    live = command("live", _live, "write web pages in which models run without a server, and print their files")
    live.add_argument("names", nargs="+", metavar="NAME", help="a checkpoint")
    live.add_argument("--out", type=Path, metavar="FOLDER", required=True)
    live.add_argument("--single", action="store_true", help="write one file NAME.html for each, which needs no other")
    live.add_argument("--scorm", action="store_true", help="write packages for learning platforms to FOLDER/scorm, too")
    command("training-graphs", _training_graphs, "make the graphs with which live pages train again; needs onnxscript")
    if asked in commands.choices:
        return parser
    for name, measurement in measurements().items():
        measure = command(name, measurement.run, measurement.about)
        add(measure, *measurement.options, *filter(None, [measurement.save]))
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

    checkpoint = Asked(options).checkpoint
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

    checkpoint = Asked(options).checkpoint
    if options.target is None:
        trace = decode_translate.translate(checkpoint, options.sentence).trace
    else:
        trace = decode_translate.trace_pair(checkpoint, options.sentence, options.target)
    trace_files.write(trace, options.out, trace_files.chosen(trace, options.only))


def _why(options: argparse.Namespace) -> None:
    from model.attribution import told

    checkpoint = Asked(options).checkpoint
    question = told.asked(checkpoint, options.sentence, options.step, options.rather, options.whole)
    result = told.about(checkpoint, question) | told.VIEWS[options.show](checkpoint, question)
    if options.head:
        result["head"] = told.of_head(checkpoint, question, options.head)
    print(json.dumps(result, indent=2, ensure_ascii=False))


def _why_there(options: argparse.Namespace) -> None:
    from model.attribution.score_terms import told
    from model.features import key_parts

    asked, cell = Asked(options), (options.head, options.query, options.key)
    keys = key_parts.of_checkpoint(asked.entry, asked.checkpoint.model) if options.features else None
    result = told.about(asked.checkpoint, options.sentence, *cell, options.most, keys)
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

    checkpoint = Asked(options).checkpoint
    if options.pairs is None:
        return _evaluate_again(options, checkpoint)
    print(json.dumps(evaluate(checkpoint, pairs_of(options.pairs)).rounded(), indent=2))


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


def _training_graphs(options: argparse.Namespace) -> None:
    from model.train.browser import ready

    for path in ready.write_graphs():
        print(f"{path}\t{path.stat().st_size:,} bytes", flush=True)


if __name__ == "__main__":
    sys.exit(main())
