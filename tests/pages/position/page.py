"""Readers of the position page for its tests."""

import json

import pyarrow as pa
from streamlit.testing.v1 import AppTest

from tests.samples import SAMPLES


def texts(app: AppTest) -> str:
    return "\n".join([*(text.value for text in app.main.text), *(caption.value for caption in app.main.caption)])


def specs(app: AppTest) -> list[dict]:
    """The charts on the page, as Vega-Lite."""
    result = []
    for element in app.main.get("vega_lite_chart"):
        own = [table.data.data for table in element.proto.datasets]  # the table of a whole chart is sent beside it
        tables = [{"data": {"values": json.dumps(pa.ipc.open_stream(table).read_all().to_pylist())}} for table in own]
        spec = json.loads(element.proto.spec)
        result.append(spec | {"layer": [*tables, *spec["layer"]]})
    return result


def layers(spec: dict) -> list[list[dict]]:
    """The data of each layer."""
    return [json.loads(layer["data"]["values"]) for layer in spec["layer"] if "data" in layer]


def rows_of(spec: dict, field: str) -> list[dict]:
    """The data of the first layer that has the field."""
    return next(rows for rows in layers(spec) if rows and field in rows[0])


def frequencies(d_model: int, base: float) -> list[float]:
    return [base ** (-2 * i / d_model) for i in range(d_model // 2)]


def trained_with_a_table() -> tuple[str, int]:
    """Name and rows of the longest learned table of an encoder; without one the untrained BERT stands in."""
    configs = {path.parent.name: json.loads(path.read_text()) for path in sorted(SAMPLES.glob("*/config.json"))}
    encoders = {name: config for name, config in configs.items() if config["architecture"] != "decoder"}
    models = [(name, config["max_length"]) for name, config in encoders.items() if config["position"] == "learned"]
    return max(models, key=lambda pair: pair[1], default=("untrained-bert", 512))
