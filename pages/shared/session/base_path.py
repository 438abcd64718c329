"""Where the app stands on its host, and where others in the network find it."""

import ipaddress
import socket
from urllib.parse import urlsplit

import psutil
import streamlit as st
from streamlit.net_util import get_internal_ip


def base() -> str:
    """The path that all addresses begin with, as Streamlit's `server.baseUrlPath` has it: "/class/one", or ""."""
    path = str(st.get_option("server.baseUrlPath") or "").strip("/")
    return f"/{path}" if path else ""


def origin() -> str:
    """Where the app stands, as this user's browser sees it."""
    here = urlsplit(st.context.url or "http://localhost:8501")
    return f"{here.scheme}://{here.netloc}{base()}"


def is_local(host: str | None) -> bool:
    """Whether only this machine knows itself by this name or address."""
    if (host or "") in ("", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(host or "")
    except ValueError:
        return str(host).endswith(".localhost")
    return address.is_loopback or address.is_unspecified


def network_origins(seen: str) -> list[str]:
    """Where others find the app that this user's browser sees at `seen`, the likeliest first; empty where they do not.

    A server that listens to this machine only is found through the proxy before it, which has another port.
    """
    here = urlsplit(seen)
    if not is_local(here.hostname):
        return [seen]
    bound = str(st.get_option("server.address") or "")
    if bound and is_local(bound) and bound != "0.0.0.0" and here.port == st.get_option("server.port"):
        return []
    port = f":{here.port}" if here.port else ""
    return [f"{here.scheme}://{host}{port}{here.path}" for host in network_hosts()]


def network_hosts() -> list[str]:
    """The addresses of this machine in its networks: that of the way out first, those of virtual networks last."""
    known = [
        (not name.startswith(("e", "w")), entry.address)  # cables and wireless have names such as en0, eth0, wlan0
        for name, entries in psutil.net_if_addrs().items()
        for entry in entries
        if entry.family == socket.AF_INET
    ]
    hosts = dict.fromkeys([get_internal_ip() or "", *(address for _, address in sorted(known))])
    return [host for host in hosts if host and not is_local(host) and not ipaddress.ip_address(host).is_link_local]
