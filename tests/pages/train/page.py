"""The page of trainings as a test acts on it, and short runs."""

import time

from streamlit.testing.v1 import AppTest

from model.jobs.pool import Jobs
from model.jobs.types import OVER, Progress
from model.train.run_settings import RunSettings

TINY = RunSettings(task="notebook", d_model=16, heads=2, d_ff=16, steps=40, warmup=5, average=0.5, learning_rate=1e-2)


PATIENCE = 120.0  # seconds; the machine may be busy


def over(jobs: Jobs, id_: str) -> Progress:
    end = time.monotonic() + PATIENCE
    while (progress := jobs.progress(id_)).state not in OVER:
        assert time.monotonic() < end, progress
        time.sleep(0.02)
    return progress


def text(app: AppTest) -> str:
    return "\n".join([*(element.value for element in app.main.text), *(c.value for c in app.main.caption)])


def press(app: AppTest, key: str) -> AppTest:
    app.button(key=key).click().run()
    assert not app.exception, [error.stack_trace for error in app.exception]
    return app
