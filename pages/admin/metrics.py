"""The reports of all processes as Prometheus metrics, in the official client's text format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric

from pages.shared.load.counts import BOUNDS

Reports = Mapping[str, Mapping[str, Any]]
_GAUGES = {
    "sessions": ("sessions", "Open pages."),
    "memory": ("memory_bytes", "Resident memory of the process."),
    "memory_workers": ("workers_memory_bytes", "Resident memory of the workers that train."),
    "began": ("start_time_seconds", "When the process began, in seconds since 1970."),
}
_MACHINE = {
    "load": ("machine_load", "Processes that run or wait for a core, over a minute."),
    "available": ("machine_available_bytes", "Memory that is free for processes."),
}
_TIMES = {
    "took": ("page_seconds", "Time in which a page or a part of it was drawn."),
    "waited": ("page_wait_seconds", "Time that a page stood in line before it was drawn."),
}
_OF_CLASSROOMS = {
    "members": ("class_members", "Members of all classes that go on."),
    "present": ("class_members_present", "Members whose browser was heard of lately."),
    "sentences": ("class_sentences", "Sentences on the boards of all classes that go on."),
}


def metrics(reports: Reports, classrooms: Sequence[Mapping[str, float]]) -> bytes:
    """Every number by process; those of the classes are the server's."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(reports, classrooms))
    return generate_latest(registry)


class _Collector:
    def __init__(self, reports: Reports, classrooms: Sequence[Mapping[str, float]]):
        self.reports, self.classrooms = reports, classrooms

    def collect(self) -> Iterator[Metric]:
        for key, (name, about) in _GAUGES.items():
            yield self._gauge(name, about, {process: report[key] for process, report in self.reports.items()})
        for key, (name, about) in _MACHINE.items():
            machine = {process: report["machine"][key] for process, report in self.reports.items()}
            yield self._gauge(name, about, machine)
        yield self._counter("cpu_seconds", "Processor time.", "cpu")
        yield self._counter("errors", "Errors of pages that nobody caught.", "failed")
        for key, (name, about) in _TIMES.items():
            yield self._histogram(name, about, key)
        yield self._pages()
        yield self._refusals()
        yield self._runs()
        yield GaugeMetricFamily("glassformer_classes", "Classes that go on.", len(self.classrooms))
        for key, (name, about) in _OF_CLASSROOMS.items():
            yield GaugeMetricFamily(f"glassformer_{name}", about, sum(classroom[key] for classroom in self.classrooms))

    def _gauge(self, name: str, about: str, values: Mapping[str, float]) -> Metric:
        family = GaugeMetricFamily(f"glassformer_{name}", about, labels=["process"])
        for process, value in values.items():
            family.add_metric([process], value)
        return family

    def _counter(self, name: str, about: str, key: str) -> Metric:
        family = CounterMetricFamily(f"glassformer_{name}", about, labels=["process"])
        for process, report in self.reports.items():
            family.add_metric([process], report[key])
        return family

    def _pages(self) -> Metric:
        about = "Seconds within which 95 % of a page's runs of the last minute were done, their wait included."
        family = GaugeMetricFamily("glassformer_page_p95_seconds", about, labels=["process", "page"])
        for process, report in self.reports.items():
            for page, lately in report["pages"].items():
                family.add_metric([process, page], lately["whole"])
        return family

    def _refusals(self) -> Metric:
        about = "Requests of a user beyond what is fair."
        family = CounterMetricFamily("glassformer_refusals", about, labels=["process", "kind"])
        for process, report in self.reports.items():
            for kind, count in report["refused"].items():
                family.add_metric([process, kind], count)
        return family

    def _runs(self) -> Metric:
        """Each queue once, however many processes use it."""
        family = GaugeMetricFamily("glassformer_training_runs", "Trainings, by state.", labels=["queue", "state"])
        for queue, runs in {report["queue"]: report["runs"] for report in self.reports.values()}.items():
            for state, count in runs.items():
                family.add_metric([queue, state], count)
        return family

    def _histogram(self, name: str, about: str, key: str) -> Metric:
        family = HistogramMetricFamily(f"glassformer_{name}", about, labels=["process"])
        for process, report in self.reports.items():
            total, buckets = 0, []
            for limit, count in zip([*map(str, BOUNDS), "+Inf"], report[key]["counts"], strict=True):
                total += count
                buckets.append((limit, total))
            family.add_metric([process], buckets, report[key]["sum"])
        return family
