from __future__ import annotations

import socket
import urllib.error
import urllib.request

import pytest

from famulus_kernel.errors import BadAddress
from famulus_kernel.remote import serve


@pytest.mark.parametrize("port", [None, 70_000, -1])
def test_a_port_that_cannot_be_had_is_told(port) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(BadAddress, match="cannot listen on"):
            serve([], name="x", port=taken.getsockname()[1] if port is None else port)


def test_a_page_of_another_site_cannot_ask(server) -> None:
    request = urllib.request.Request(
        server, b"{}", {"content-type": "application/json", "origin": "https://example.org", "host": "example.org"}
    )
    with pytest.raises(urllib.error.HTTPError) as caught:
        urllib.request.urlopen(request)
    assert caught.value.code in {403, 421}
    caught.value.close()
