"""Where students find the app that a teacher sees at an address of this machine."""

import socket
from types import SimpleNamespace

import psutil
import pytest
import streamlit as st

from pages.shared.session import base_path

CARDS = {"lo": "127.0.0.1", "docker0": "172.17.0.1", "en0": "192.0.2.7", "wlan0": "198.51.100.3", "eth9": "169.254.3.3"}


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with two networks, a virtual one, and a card without an address."""
    cards = {name: [SimpleNamespace(family=socket.AF_INET, address=address)] for name, address in CARDS.items()}
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: cards)
    monkeypatch.setattr(base_path, "get_internal_ip", lambda: "198.51.100.3")


def options(monkeypatch: pytest.MonkeyPatch, **values: object) -> None:
    monkeypatch.setattr(st, "get_option", lambda name: values.get(name.removeprefix("server.")))


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "class.localhost"])
def test_at_an_address_of_its_own_the_machine_offers_those_of_its_networks(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options(monkeypatch, port=8501)
    assert base_path.network_origins(f"http://{host}:8501/class/one") == [
        f"http://{address}:8501/class/one" for address in ("198.51.100.3", "192.0.2.7", "172.17.0.1")
    ]


@pytest.mark.parametrize(
    "seen", ["http://192.0.2.7:8501", "https://class.example", "http://teacher-laptop.local:8501/x"]
)
def test_an_address_that_others_know_stays(seen: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options(monkeypatch, port=8501, address="127.0.0.1")
    assert base_path.network_origins(seen) == [seen]


def test_a_server_for_this_machine_only_is_found_through_a_proxy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    options(monkeypatch, port=8501, address="127.0.0.1")
    assert base_path.network_origins("http://localhost:8501") == []
    assert base_path.network_origins("http://localhost:80")[0] == "http://198.51.100.3:80"


def test_without_a_network_there_is_no_address_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    options(monkeypatch, port=8501)
    monkeypatch.setattr(psutil, "net_if_addrs", dict)
    monkeypatch.setattr(base_path, "get_internal_ip", lambda: "127.0.0.1")
    assert base_path.network_origins("http://localhost:8501") == []
