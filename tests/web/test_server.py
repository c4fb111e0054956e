"""How the server tells people where it is."""

import io

import pytest

from assistant.web import server


def test_an_address_of_every_interface_is_told_as_one_that_phones_reach(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "lan_address", lambda: "192.168.1.20")
    assert server.url_of("0.0.0.0", 8000) == "http://192.168.1.20:8000/"
    assert server.url_of("::", 8000) == "http://192.168.1.20:8000/"
    assert server.url_of("table.local", 80) == "http://table.local:80/"
    assert server.url_of("fd00::7", 80) == "http://[fd00::7]:80/"


def test_the_address_is_printed_with_a_code_to_scan() -> None:
    out = io.StringIO()
    server.announce("http://192.168.1.20:8000/", out)
    text = out.getvalue()
    assert "http://192.168.1.20:8000/" in text
    assert "█" in text
    assert max(map(len, text.splitlines())) <= 80


def test_no_code_is_printed_for_an_address_that_no_phone_reaches() -> None:
    out = io.StringIO()
    server.announce("http://127.0.0.1:8000/", out)
    assert "█" not in out.getvalue()


def test_a_terminal_without_such_letters_still_gets_the_address() -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="ascii")
    server.announce("http://192.168.1.20:8000/", out)
    assert b"http://192.168.1.20:8000/" in raw.getvalue()


def test_the_own_address_is_one() -> None:
    assert server.lan_address().count(".") == 3
