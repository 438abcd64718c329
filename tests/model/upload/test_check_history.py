"""A history in an upload: what is sound comes back, and long ones are not unpacked."""

import struct
from pathlib import Path
from zipfile import ZipFile, ZipInfo

import numpy as np
import pytest

from model.checkpoint import checkpoints, history
from model.checkpoint.catalogue import Entry
from model.errors import InvalidInput
from model.upload import check_history, zip_file
from tests.model.upload.damaged import LONG, arrays, npz, of_more_than_4_gb
from tests.samples import SAMPLES


def test_a_long_curve_is_refused_before_it_is_unpacked(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model, unpacked = checkpoints.load(Entry(tiny)).model, zip_file.unpacked
    assert check_history.opened(npz(arrays()), model.config, {})
    assert len(check_history.opened(npz(arrays(curve=LONG[:-1])), model.config, {})[1]) == 5000

    def watched(file: ZipFile, info: ZipInfo) -> bytes:
        assert info.file_size < 10_000_000, "it was unpacked"
        return unpacked(file, info)

    monkeypatch.setattr(zip_file, "unpacked", watched)
    with pytest.raises(InvalidInput):
        check_history.opened(npz(arrays(curve=np.ones((400_000, 4)))), model.config, {})


def test_a_history_s_list_of_files_is_read_only_where_it_is_short(tiny: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, config = npz(arrays()), checkpoints.load(Entry(tiny)).model.config
    long = data[:-10] + struct.pack("<I", 200 * 80) + data[-6:]
    monkeypatch.setattr(check_history, "ZipFile", lambda *_: pytest.fail("it was read"))
    for damaged in (of_more_than_4_gb(data), long):
        with pytest.raises(InvalidInput):
            check_history.opened(damaged, config, {})


def test_an_empty_curve_comes_back(tiny: Path, tmp_path: Path) -> None:
    config = checkpoints.load(Entry(tiny)).model.config
    history.save(tmp_path, check_history.opened(npz(arrays()), config, {})[0])
    assert np.load(tmp_path / history.FILE)["curve"].shape == (0, 4)
    moments, curve = check_history.opened((tmp_path / history.FILE).read_bytes(), config, {})
    assert (len(moments), curve, history.curve(Entry(tmp_path))) == (1, [], ())


@pytest.mark.sample(3)
@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*/history.npz")), ids=lambda file: file.parent.name)
def test_every_sample_s_history_fits_its_model(file: Path) -> None:
    entry = Entry(file.parent)
    model = checkpoints.load(entry).model
    shapes = {name: tuple(value.shape) for name, value in model.named_parameters()}
    moments, curve = check_history.opened(file.read_bytes(), model.config, shapes)
    assert len(moments) == len(history.load(entry)) > 1
    assert tuple(curve) == history.curve(entry)
