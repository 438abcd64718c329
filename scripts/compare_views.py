"""List what about 280 views of the app show, and compare two such lists: for changes that must change nothing.

    python scripts/compare_views.py --out before.gz
    python scripts/compare_views.py --out after.gz              # on the changed code; --root names another checkout
    python scripts/compare_views.py --compare before.gz after.gz

A view is a page, the parameters of its URL, and perhaps what is clicked or typed then. Of each the list holds the
visible text, the URL after the run, and a hash of what each figure and each file to take away is made of, one view a
line. Of the app only the package `classroom` is imported: what the modules are called does not matter. `--only` takes a
regular expression of the views to list, `--full` writes the data itself instead of its hash, to see what differs.
A list takes two minutes of one core. Files to take away are made in the English views alone.
"""

import argparse
import difflib
import gzip
import hashlib
import html
import importlib
import itertools
import json
import logging
import os
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from google.protobuf.json_format import MessageToDict
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Block, Node
from streamlit.util import calc_hash

MODELS = (
    "checkpoint=zh-en", "checkpoint=es-en", "checkpoint=dates", "checkpoint=gpt-char", "checkpoint=mini-encoder",
    "checkpoint=untrained-pre-norm&seed=3", "checkpoint=reverse", "checkpoint=untrained-gpt",
)  # fmt: skip
# page: the setting that chooses what it shows, and its values; each with the first model in one language, and with one
# of MODELS in the other
SHOWS = {
    "start": "attention_kind=encoder,decoder,cross",
    "course": "step=lookup,vectors,position,head,heads,mask,layers,cross,writing,learning,explain",
    "embedding": "show=way,merges,near,frequencies,odd,arithmetic",
    "position": "show=table,waves,one,distance,others,worked,longer",
    "primer": "show=dictionary,query,scores,why",
    "energy": "show=claim,tokens,drift,vocabulary",
    "masks": "show=patterns,scores,leak,fill,padding,loss",
    "attention": "view=stages,scale,cell,there,measures,rollout,similarity",
    "layers": "show=stream,residual,norm,feed_forward,early,context",
    "decoding": "view=attention,cache,inside,sampling,beam,given",
    "intervene&changes=off:cross.*.*": "show=probability,attention,candidates,effect,patching",
    "why": "show=words,trust,parts,origin",
    "data": "show=lines,corpus,word,rules",
    "circuits": "show=roles,matches,words,averages,patching,alignment,removal",
    "features": "show=toy,sentence,steer,beside,train",
    "break": "show=cards,effect,find",
    "compare": "show=attention,heads,words,layers,matches,curves,config",
    "forecast": "show=against,errors,series,attention,ahead,train",
    "checkpoints": "show=looks,knows,scores,data,parts",
    "quiz": "numbers=5,17",
    "glossary": "term=query,nowhere",
    "class": "show=class,lessons,test",
}
# page: a setting and its values; the languages in turn
ALSO = (
    ("break", "mistake=norm_ignored,result_for_function,unscaled_scores,unfit_init,no_causal_mask,finite_fill,"
              "softmax_axis,textbook_norm,recorded_after_dropout,worked_example"),
    ("quiz&numbers=17", "question=lookup,permute,read_row,head_previous,which_mask,head_width,cross_parts,wavelength,"
                        "norm_entry,next_word,cache"),
    ("checkpoints&show=scores", "card=zh-en,gpt-char,mini-encoder,forecast,reverse-learned"),
    ("train", "task=addition,notebook,text,own"),
    ("intervene", "what=head,row,mask,position,embedding,word,patch"),
    ("attention", "stage=input,raw,mask,mix,residual"),
    ("start", "sentence=,Der Zwerchfellkrampf kommt.,a\0b,<b>x</b> ![](http://x/y.png) *a*"),
    *((page, "tour=1,3") for page in ("primer", "masks", "intervene", "compare", "forecast", "train")),
)  # fmt: skip
# pages with parameters, two blanks or a line between them; the languages in turn
SETTINGS = """
start?layer=0&head=1  start?layer=99&head=-1&attention_kind=sideways  start?checkpoint=nowhere&lost=nopage
primer?asked=fruit&normalise=1&query_a=1.5&sharpness=0  primer?d_k=64&likeness=0.25&similarity=gaussian&keys=4
embedding?rows=sentence&side=decoder  embedding?show=odd&word=Kinokarte 票&padding=8
position?base=10&length=128&show=table&pairs=1,2  position?show=one&wavelength=8&window=64&row=2&column=4
position?show=worked&worked_base=100  position?show=others&extra=16
energy?unscaled=1  energy?show=tokens&side=decoder&sentence=Ja!
masks?row=2&sentence_b=Hallo!&sentence_c=  masks?show=scores&attention_kind=decoder&layer=1&head=2
masks?show=leak&leak_word=Hund  masks?show=fill&query=1  masks?show=padding&added=8  masks?show=loss&target=We go home.
attention?view=cell&query=2&key=1  attention?view=measures&measure=previous&attention_kind=encoder&layer=0&head=0
attention?view=rollout&side=decoder&upto=1  attention?view=similarity&other=3&pin=cross,1,2
layers?side=decoder&token=2  layers?show=norm&batch=1  layers?show=early&every=1  layers?show=residual&stack_norm=pre
layers?show=feed_forward&depth=0  layers?show=stream&sublayer=1&token=99
decoding?k=3&step=2  decoding?word=film&step=4  decoding?way=sample&temperature=2&top_k=20&draw=5&view=sampling
decoding?view=beam&beam=4&alpha=0  decoding?view=given&given=We go home.  decoding?view=inside&step=3&layer=1&head=0
intervene?changes=half:encoder.0.1&show=attention  intervene?changes=melt:cross.0.0;off:encoder.0.0&show=candidates
intervene?what=row&attention_kind=cross&layer=1&head=0&query=2  intervene?what=word&word=Haus&part=position
break?show=find&case=3&look=scores&beside=1  break?mistake=same_ids&word=bead  break?checkpoint=untrained-pre-norm
train?task=notebook&preset=notebook&shuffled=1  train?task=reverse&position=none&heads=1  train?run=nowhere&d_model=17
compare?other=zh-en&show=config&only=1  compare?other=de-en&other_moment=0&show=layers  compare?other=forecast
compare?other=de-en&other_changes=off:cross.*.*&show=words&reads=b  compare?show=attention&follow=same&other_head=5
compare?checkpoint=reverse&other=reverse-learned&show=heads  compare?checkpoint=sort&show=curves&runs=dates,reverse
forecast?as=prices&shown=prices  forecast?day=3&at_layer=1&at_head=1  forecast?start=150
quiz?numbers=3&set=attention,masked  quiz?numbers=3&only=tied,cache  quiz?numbers=3&checkpoint=dates
checkpoints?checkpoint=dates&tour=2  checkpoints?card=zh-en&topic=1
"""
# page: what is done on it as it opens: a key is clicked, `key=value` types or chooses, `?key` waits for what has that
# key, `+` goes on to another
ACTS = {
    "start": "tour_start+tour_next+tour_end example_1 try_1 sentence=Wo_ist_das_Buch? sentence=Ja!+sentence=",
    "primer": "try_0+put_back try_1 normalise=1",
    "primer&show=query": "try_2",
    "embedding": "try_0 try_1+put_back",
    "position": "tour_start+tour_next try_0 try_2",
    "energy": "try_1 unscaled=1",
    "masks": "try_1 try_3 sentence_b=Ja!",
    "attention": "tour_start stage_next+stage_next try_3 sentence=Wo_ist_das_Buch?",
    "layers": "try_0 try_1 try_3",
    "decoding": "try_1 try_3 word=film",
    "intervene": "apply_example add_from_map try_matters try_causal add+undo add+clear",
    "break": "door try_0 try_3",
    "train": "try_1 try_2",
    "train&task=notebook&d_model=16&heads=2&training_steps=40": "start+?keep start+?keep+keep+open_attention",
    "compare": "ready_norm ready_change try_0",
    "forecast": "try_1",
    "quiz&numbers=17&language=en": "hint+next answer_lookup_17=3+FormSubmitter:answer-Check next+back",
    "checkpoints": "pick_1 use_card open_gpt try_0",
    "checkpoints&show=knows": "sentence_topic_0",
}
# what is random, measures time or belongs to one session: a pattern, and what stands for it
MASKS = (
    (re.compile(r"(\brun[\W_]{1,12}|/runs/)[\w-]{22}(?![\w-])"), r"\1RUN"),
    (re.compile(r"(\('\.st-key-[\w-]+', )\d+"), r"\1COUNT"),
    (re.compile(r"\b(clip|gradient_)\d+"), r"\1COUNT"),
    (re.compile(r"/files/[\w-]{22}/"), "/files/TOKEN/"),
)
TIMED = ("glassformer-run.csv",)  # files that hold it too
FILE = re.compile(r"/files/([\w-]{22})/([^\"]+)\"")
LEFT_OUT = {"id", "formId", "pageScriptHash"}  # names that Streamlit makes up
LAYOUT = {"heightConfig", "widthConfig", "flexContainer", "gapConfig", "textAlignmentConfig", "gridConfig"}
CODE = {"jsContent", "cssContent", "htmlContent"}
FIGURES = {"bidi_component", "vega_lite_chart", "html", "table", "dataframe", "imgs", "iframe"}
RECORDED = "A recorded example; the model is still warming up."
PATIENCE = 120.0  # seconds for a model to be loaded or trained
making = False  # whether files to download are made
full = False  # whether the data itself is listed


# what is visited


def views() -> list[str]:
    """Every view, as `page?parameters`, with ` > ` before each thing done there."""
    turn, models = itertools.cycle(("en", "zh", "zh", "en")), itertools.cycle(MODELS)
    result = []
    for page, setting in SHOWS.items():
        for tab in each(setting):
            result.append(address(f"{page}&{tab}", next(turn)))
            result.append(address(f"{page}&{tab}&{next(models)}", next(turn)))
    for start, setting in ALSO:
        result += [address(f"{start}&{tab}", next(turn)) for tab in each(setting)]
    result += [address(start, next(turn)) for start in re.split(r"\s{2,}|\n", SETTINGS.strip())]
    for start, acts in ACTS.items():
        result += [f"{address(start, next(turn))} > {act.replace('+', ' > ')}" for act in acts.split()]
    return sorted(set(result))


def each(setting: str) -> list[str]:
    """Of `show=a,b` both `show=a` and `show=b`."""
    name, _, values = setting.partition("=")
    return [f"{name}={value}" for value in values.split(",")]


def address(start: str, language: str) -> str:
    """A page with parameters, `page&a=1` or `page?a=1`, in a language."""
    page, *parameters = re.split("[?&]", start)
    return f"{page}?{'&'.join([f'language={language}', *parameters])}"


def visit(shell: Path, view: str) -> AppTest:
    """Open the address in a session of its own, and do what is to be done there."""
    start, *acts = view.split(" > ")
    page, _, query = start.partition("?")
    app = AppTest.from_file(shell, default_timeout=PATIENCE)
    app.query_params.update(parameter.partition("=")[::2] for parameter in query.split("&"))
    app._page_hash = calc_hash(page)  # of the address: `switch_page` takes a file, whose name may change
    app.run()
    for act in acts:
        app._page_hash = ""
        do(app, *act.partition("="))
    return app


def do(app: AppTest, key: str, typed: str, value: str) -> None:
    """Click what has the key, give it a value, or wait until it is there."""
    end = time.monotonic() + PATIENCE
    while key.startswith("?") and key[1:] not in map(key_of, nodes(app._tree)):
        if time.monotonic() > end:
            raise TimeoutError(key)
        time.sleep(1)
        app.run()
    if not key.startswith("?"):
        widget: Any = app.get_by_key(key)
        new = bool(int(value)) if typed and widget.type == "toggle" else value.replace("_", " ")
        (widget.set_value(new) if typed else widget.click()).run()


# what is listed


def nodes(block: Block) -> Iterator[Node]:
    """Everything below a block, in the order of the page."""
    for node in block.children.values():
        yield node
        if isinstance(node, Block):
            yield from nodes(node)


def key_of(node: Node) -> str:
    """The key that the app gave, if any."""
    return str(getattr(node.proto, "id", "")).split("-", 2)[-1]


def shown(view: str, app: AppTest) -> dict[str, Any]:
    """Text, address and figures of a view."""
    text, figures = [], []
    for node in nodes(app._tree):
        if node.proto is not None:
            lines, hashes = told(node, f"{node.type}#{key_of(node)}".removesuffix("#").removesuffix("#None"))
            text += lines
            figures += hashes
    page = app._registered_pages[app._finished_page_script_hash]["url_pathname"]
    where = f"{page}?{'&'.join(f'{key}={value}' for key, value in sorted(app.query_params.items()))}"
    return {"view": view, "address": masked(where), "text": masked(text), "figures": masked(figures)}


def told(node: Node, name: str) -> tuple[list[str], list[str]]:
    """Texts of an element, line by line, and a hash of what it draws."""
    proto = MessageToDict(node.proto)
    fields = {key: value for key, value in proto.items() if key not in LEFT_OUT | LAYOUT}
    layout = checksum(str(sorted((key, value) for key, value in proto.items() if key in LAYOUT)))[:4]
    if node.type not in FIGURES:
        return [f"{name} ~{layout} {json.dumps(fields, ensure_ascii=False, sort_keys=True)}"], []
    hashes = [f"{name} ~{layout} {digest({key: value for key, value in fields.items() if key not in CODE})}"]
    if code := {key: fields[key] for key in CODE & fields.keys()}:
        hashes.append(f"{name} code {digest(code)}")
    if node.type == "html":
        plain = re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]*>", "\n", fields.get("body", ""))
        hashes += [f"{name} {key} {made(token, key)}" for token, key in FILE.findall(html.unescape(str(fields)))]
        return [f"{name} {html.unescape(line.strip())}" for line in plain.split("\n") if line.strip()], hashes
    if node.type in ("table", "dataframe"):
        value: Any = node
        return [f"{name} {line}" for line in value.value.to_csv(sep="\t").splitlines()], hashes
    return [], hashes


def masked(value: Any) -> Any:
    """Without what is random."""
    if isinstance(value, list):
        return [masked(each) for each in value]
    for pattern, stands in MASKS:
        value = pattern.sub(stands, value)
    return value


def digest(data: object) -> str:
    """A hash of data; the data itself where that is wanted."""
    text = masked(data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, sort_keys=True, default=repr))
    return text if full else checksum(text)


def checksum(text: str) -> str:
    """A short hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def made(token: str, key: str) -> str:
    """A hash of a file to download, made as a click would."""
    modules = [module for name, module in sys.modules.copy().items() if name.startswith("pages.")]
    files = next(module for module in modules if getattr(module, "PATH", "") == "/files")
    view = next(module for module in modules if hasattr(module, "speaking"))
    file = files.find(token, unquote(key))
    if not making or file.name in TIMED or file.name.endswith(".zip"):  # which takes long
        return f"{file.name} {file.type}"
    with view.speaking(file.language):
        return digest([file.name, file.type, repr(file.make())])


def warm_up(shell: Path) -> None:
    """Wait until the model answers and no recorded example stands in for it."""
    end, cold = time.monotonic() + PATIENCE, True
    for run in itertools.count():
        cold = any(RECORDED in line for line in shown("", visit(shell, "start?language=en"))["text"])
        if not cold and run:
            return
        if not cold or time.monotonic() > end:
            sys.exit("The first page is to show a recorded example, and then the model: has its sentence changed?")
        time.sleep(0.5)


def all_shown(root: Path, only: str) -> Iterator[dict[str, Any]]:
    """Visit everything; a view that fails is listed with its error."""
    global making
    os.chdir(root)
    sys.path.insert(0, str(root))
    if (root / "classroom").is_dir():  # Streamlit puts the shell's folder first on the path, which has one of this name
        importlib.import_module("classroom")
    logging.disable(logging.WARNING)
    shell = next((root / "pages").rglob("shell.py"))
    warm_up(shell)
    for view in filter(re.compile(only).search, views()):
        making = "language=en" in view  # which takes as long as the page: in one language is enough
        try:
            yield shown(view, visit(shell, view))
        except Exception as error:
            yield {"view": view, "errors": [repr(error)]}


# two lists


def compare(old: str, new: str) -> int:
    """Print what differs, by view; the number of views that differ."""
    before, after = ({line["view"]: line for line in map(json.loads, opened(path))} for path in (old, new))
    differ = 0
    for view in sorted(before.keys() | after.keys()):
        one, other = before.get(view, {}), after.get(view, {})
        if one != other:
            differ += 1
            print(f"\n{view}")
            for part in ("errors", "address", "text", "figures"):
                old_lines, new_lines = (listed(each.get(part, [])) for each in (one, other))
                for line in list(difflib.unified_diff(old_lines, new_lines, lineterm="", n=0))[2:]:
                    if not line.startswith("@@"):
                        print(f"  {part:8}{line}")
    print(f"\n{differ} of {len(before.keys() | after.keys())} views differ")
    return differ


def listed(part: str | list[str]) -> list[str]:
    """A part of a view line by line."""
    return [part] if isinstance(part, str) else part


def opened(path: str, mode: str = "rt") -> Any:
    """A list, compressed where its name ends in .gz."""
    return gzip.open(path, mode, encoding="utf-8") if path.endswith(".gz") else open(path, mode, encoding="utf-8")


def main() -> None:
    """List or compare."""
    global full
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="where the list goes")
    parser.add_argument("--compare", nargs=2, metavar=("OLD", "NEW"))
    parser.add_argument("--root", type=Path, default=Path(__file__).parent.parent, help="the checkout to list")
    parser.add_argument("--only", default="", help="regular expression of the views to list")
    parser.add_argument("--full", action="store_true", help="list the data itself, not its hash")
    options = parser.parse_args()
    if options.compare:
        sys.exit(compare(*options.compare) > 0)
    full, began = options.full, time.monotonic()
    with opened(options.out, "wt") as file:
        for count, line in enumerate(all_shown(options.root.resolve(), options.only), 1):
            file.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
            print(f"\r{count} views, {time.monotonic() - began:.0f} s", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
