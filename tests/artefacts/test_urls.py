from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts.urls import is_web_url, safe_url


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a?b=c&d=e#f",
        "HTTP://example.org",
        "mailto:a@example.org",
        "/pirckheimer/WPB1?p=1",
        "../a/b.html",
        "a.html#x:y",
        "?p=a:b",
        "#x",
        "https://example.org/Dürer",
        " https://example.org ",
    ],
)
def test_web_mail_and_relative_addresses_become_links(url: str) -> None:
    assert safe_url(url) == url.strip()


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)",
        "\x01javascript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://example.org",
        "//example.org/x",
        "\\\\example.org",
        "/\\example.org",
        "https:example.org",
        "http://",
        'https://a"onmouseover=b',
        "https://a b",
        "https://a\u202eb",
        "a:b",
        "",
        "   ",
    ],
)
def test_nothing_else_becomes_a_link(url: str) -> None:
    assert safe_url(url) is None


@given(st.text())
def test_what_becomes_a_link_names_no_other_scheme(text: str) -> None:
    url = safe_url(text)
    if url is not None and ":" in url.replace("?", "/").replace("#", "/").partition("/")[0]:
        assert url.lower().startswith(("http://", "https://", "mailto:"))


def test_a_relative_address_is_no_web_address() -> None:
    assert is_web_url("https://example.org")
    assert not is_web_url("a.html")
    assert not is_web_url("mailto:a@b.c")
