"""The route of the sheet: what it sends, and what it refuses."""

import csv
import gzip
import io
import json
import struct

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from model.checkpoint.catalogue import Entry
from pages.sheet import sheet_route, source
from tests.samples import KINO, SAMPLES

ENTRY = Entry(SAMPLES / "de-en")
WEIGHTS = "decoder.2.cross_attention.weights[1]"
OFF = "off:encoder.1.2"


@pytest.fixture(scope="module")
def client(warm: None) -> TestClient:
    return TestClient(Starlette(routes=sheet_route.ROUTES))


def asked(**choices: str) -> tuple[str, source.Source]:
    name = source.token(source.SheetRequest(ENTRY, KINO, **choices))
    result = source.find(name)
    assert result
    return f"/sheet/{name}", result


def header(client: TestClient, address: str) -> tuple[dict, bytes]:
    content = client.get(f"{address}/overview").content
    length = struct.unpack("<I", content[:4])[0]
    return json.loads(content[4 : 4 + length]), content[4 + length :]


def test_the_overview_is_small_and_names_everything(client: TestClient) -> None:
    address, its_source = asked()
    description, thumbs = header(client, address)
    assert len(gzip.compress(json.dumps(description).encode() + thumbs, 6)) < 150_000
    assert [part[1] for part in description["parts"]] == [part.name for part in its_source.sheet.parts.values()]
    assert sum(part[-2] * part[-1] for part in description["parts"]) == len(thumbs)
    assert len(description["tokens"]["source"]) == 8


def test_tiles_come_one_after_the_other(client: TestClient) -> None:
    address, its_source = asked()
    number = its_source.keys.index(WEIGHTS)
    array = its_source.sheet.parts[WEIGHTS].array
    content = client.get(f"{address}/tiles?of={number}.-1.0.0_{number}.0.0.0").content
    numbers = np.frombuffer(content[: array.size * 4], "<f4").reshape(array.shape)
    np.testing.assert_array_equal(numbers, array)
    assert len(content) == array.size * 5


def test_a_cell_a_table_and_what_is_refused(client: TestClient) -> None:
    address, its_source = asked()
    number = its_source.keys.index(WEIGHTS)
    answer = client.get(f"{address}/cell/{number}/1/2").json()
    assert answer["value"] == pytest.approx(float(its_source.sheet.parts[WEIGHTS].array[1, 2]))
    assert answer["marks"] == [[its_source.keys.index("decoder.2.cross_attention.masked_scores[1]"), 1, None]]
    rows = list(csv.DictReader(io.StringIO(client.get(f"{address}/csv/{number}").content.decode("utf-8-sig"))))
    assert len(rows) == its_source.sheet.parts[WEIGHTS].array.size
    assert (rows[2]["column_token"], rows[0]["row_token"]) == ("gehen", its_source.sheet.tokens["output"][0])
    assert float(rows[9]["value"]) == pytest.approx(float(its_source.sheet.parts[WEIGHTS].array.flat[9]), rel=1e-6)
    for path, status in (
        ("tiles?of=", 400), ("tiles?of=x", 400), (f"tiles?of={number}.0.9.9", 404), ("tiles?of=99999.0.0.0", 404),
        (f"cell/{number}/99/0", 404), ("cell/99999/0/0", 404), ("csv/99999", 404),
        (f"tiles?of={'_'.join(['0.0.0.0'] * 200)}", 400),
    ):  # fmt: skip
        assert client.get(f"{address}/{path}").status_code == status, path
    assert client.get("/sheet/unknown/overview").status_code == 404


def test_no_token_is_a_formula_in_a_table(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    _, its_source = asked()
    tokens = its_source.sheet.tokens
    monkeypatch.setitem(tokens, "source", [";=1+1"] * len(tokens["source"]))  # type: ignore[arg-type]
    text = its_source.table(its_source.keys.index(WEIGHTS)).decode("utf-8-sig")
    assert text.count(";'=1+1") == its_source.sheet.parts[WEIGHTS].array.size


def test_what_a_change_makes_different_is_marked(client: TestClient) -> None:
    description, _ = header(client, asked(changes=OFF, shown="changed")[0])
    differs = {part[1] for part in description["parts"] if part[-3]}
    assert "encoder.1.self_attention.head_outputs[2]" in differs
    assert {"encoder.0.feed_forward.residual", "encoder.1.self_attention.weights[2]"} & differs == set()
    assert not any("weight" in name.rsplit(".", 1)[-1].split("[")[0] and name.endswith("weight") for name in differs)
    difference = asked(changes=OFF, shown="difference")[1].sheet.parts
    assert not np.any(difference["encoder.0.feed_forward.residual"].array)
    assert np.any(difference["logits"].array)
