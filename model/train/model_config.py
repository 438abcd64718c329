"""The config of the model that a run trains."""

from dataclasses import asdict, fields, replace

from corpora.task_list import tasks
from corpora.tasks import user_text
from model import presets
from model.config import TransformerConfig
from model.train.data import Prepared
from model.train.run_settings import RunSettings

HEADROOM = 8  # tokens by which a user's sentence may be longer than those of the task


def config(settings: RunSettings, data: Prepared) -> TransformerConfig:
    """The model of a run; raises `InvalidInput` where two choices cannot stand together."""
    longest = _read_and_written(settings, data) if settings.alone else max(data.longest)
    return shape(settings, data.tokenizer.size, longest + HEADROOM)


def shape(settings: RunSettings, vocabulary: int, positions: int) -> TransformerConfig:
    """The model of a run with so many tokens in its vocabulary and so many positions; raises as `config` does."""
    base = presets.find(settings.preset).config if settings.preset else TransformerConfig(
        source_vocabulary=1, target_vocabulary=1, final_norm=settings.norm == "pre", output_bias=True
    )  # fmt: skip
    same = {field.name for field in fields(RunSettings)} & set(asdict(base))
    only: dict[str, object] = {"architecture": "decoder", "encoder_layers": 0} if settings.alone else {}
    return replace(
        base,
        source_vocabulary=0 if settings.alone else vocabulary,
        target_vocabulary=vocabulary,
        final_norm=base.final_norm and settings.norm != "none",
        max_length=positions,
        **({key: getattr(settings, key) for key in same} | only),
    )


def _read_and_written(settings: RunSettings, data: Prepared) -> int:
    """Tokens that a decoder alone has at most: what it reads and, of pairs, the target too."""
    return max(data.longest) + user_text.WRITTEN if tasks()[settings.task].alone else sum(data.longest)
