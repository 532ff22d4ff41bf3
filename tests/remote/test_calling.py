from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import tracemalloc

import pytest
from servers import bad_server, flood, send

from famulus_kernel.errors import (
    AnswerTooLarge,
    FamulusError,
    MalformedAnswer,
    RemoteError,
    ServerTimeout,
    ServerUnreachable,
    ToolFailed,
    UnknownTool,
)
from famulus_kernel.remote import call_tool
from famulus_kernel.remote.calling import server_name


def _json(handler, value):
    send(handler, 200, json.dumps(value).encode(), content_type="application/json")


def _drip(handler):
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.end_headers()
    while True:
        handler.wfile.write(b": still here\n\n")
        time.sleep(0.05)


def _hang(handler):
    time.sleep(2)


class TestAnswers:
    def test_a_structured_answer_comes_as_data(self, server) -> None:
        assert call_tool(server, "add", {"a": 2, "b": 3}).data == {"sum": 5}

    def test_an_answer_in_words_comes_as_text(self, server) -> None:
        assert call_tool(server, "echo", {"text": "Ἐγὼ μὲν ὑπὲρ 𝄞"}).text == "Ἐγὼ μὲν ὑπὲρ 𝄞"

    def test_a_list_comes_whole(self, server) -> None:
        assert call_tool(server, "notes", {"text": "a"}).data == {"result": [{"note": "a"}]}

    def test_it_works_below_a_running_event_loop(self, server) -> None:
        async def inside():
            return call_tool(server, "add", {"a": 1, "b": 1}).data

        assert asyncio.run(inside()) == {"sum": 2}

    def test_nothing_is_left_running(self, server) -> None:
        call_tool(server, "add", {"a": 2, "b": 3})
        with pytest.raises(ServerTimeout):
            call_tool(server, "wait", {"seconds": 1}, timeout=0.3)
        assert [thread.name for thread in threading.enumerate() if "famulus" in thread.name] == []


class TestServersOverHttp:
    def test_nobody_there_is_unreachable(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{free.getsockname()[1]}/mcp"
            with pytest.raises(ServerUnreachable) as caught:
                call_tool(url, "lw_evaluate", {}, timeout=10)
        assert url in caught.value.message
        assert "lw_evaluate" in caught.value.message

    def test_an_unknown_tool_names_the_nearest(self, server) -> None:
        with pytest.raises(UnknownTool, match="no tool ad") as caught:
            call_tool(server, "ad", {})
        assert caught.value.hint == "did you mean add?"

    def test_a_tool_that_refuses_says_why(self, server) -> None:
        with pytest.raises(ToolFailed, match="needs the input lemma"):
            call_tool(server, "refuse", {})

    def test_a_tool_that_crashes_keeps_its_insides(self, server) -> None:
        with pytest.raises(ToolFailed) as caught:
            call_tool(server, "crash", {})
        assert "inside" not in caught.value.message

    def test_wrong_arguments_are_told(self, server) -> None:
        with pytest.raises(ToolFailed, match="valid integer"):
            call_tool(server, "add", {"a": "x", "b": 1})

    def test_a_slow_tool_ends_with_the_time(self, server) -> None:
        before = time.monotonic()
        with pytest.raises(ServerTimeout, match=r"within 0\.5 s"):
            call_tool(server, "wait", {"seconds": 6}, timeout=0.5)
        assert time.monotonic() - before < 5

    @pytest.mark.parametrize("answer", [_hang, _drip], ids=["silence", "a stream without an answer"])
    def test_a_server_that_never_answers_ends_with_the_time(self, answer) -> None:
        with bad_server(answer) as url, pytest.raises(ServerTimeout):
            call_tool(url, "lw_evaluate", {}, timeout=0.7)

    def test_fifty_megabytes_are_not_taken_into_memory(self) -> None:
        with bad_server(flood) as url:
            tracemalloc.start()
            with pytest.raises(AnswerTooLarge, match="larger than 1,000,000 bytes"):
                call_tool(url, "lw_evaluate", {}, max_bytes=1_000_000)
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert peak < 30_000_000

    def test_a_large_answer_of_a_good_server_is_refused_too(self, server) -> None:
        with pytest.raises(AnswerTooLarge):
            call_tool(server, "fill", {"size": 300_000}, max_bytes=200_000)

    @pytest.mark.parametrize("status", [401, 404, 500, 503])
    def test_an_http_error_is_told_by_its_status(self, status) -> None:
        def answer(handler):
            send(handler, status, b"<h1>no</h1>", content_type="text/html")

        with bad_server(answer) as url, pytest.raises(ServerUnreachable, match=f"HTTP status {status}"):
            call_tool(url, "lw_evaluate", {}, timeout=5)

    @pytest.mark.parametrize(
        "answer",
        [
            lambda handler: send(handler, 200, b"<h1>hello</h1>", content_type="text/html"),
            lambda handler: send(handler, 200, b"{", content_type="application/json"),
            lambda handler: send(handler, 200, b"\xff\xfe\x00", content_type="application/json"),
            lambda handler: _json(handler, {"jsonrpc": "2.0", "id": 1, "result": []}),
            lambda handler: send(handler, 200, b"data: {\n\n", content_type="text/event-stream"),
            lambda handler: send(handler, 200, b"\x1f\x8b", content_type="application/json", content_encoding="gzip"),
        ],
        ids=["a web page", "half of JSON", "bytes", "a list for a result", "a broken event", "compressed"],
    )
    def test_another_kind_of_server_is_told(self, answer) -> None:
        with bad_server(answer) as url, pytest.raises((MalformedAnswer, ToolFailed)) as caught:
            call_tool(url, "lw_evaluate", {}, timeout=5)
        assert url in caught.value.message

    def test_a_server_is_not_followed_elsewhere(self, server) -> None:
        with bad_server(lambda handler: send(handler, 307, location=server)) as url, pytest.raises(RemoteError):
            call_tool(url, "add", {"a": 1, "b": 2}, timeout=5)

    @pytest.mark.parametrize("url", ["ftp://example.org", "file:///etc/passwd", "x", "", "http://", "http://[::1"])
    def test_what_is_no_address_of_a_server_is_told(self, url) -> None:
        with pytest.raises(ServerUnreachable):
            call_tool(url, "lw_evaluate", {}, timeout=5)

    def test_what_may_be_secret_in_an_address_is_not_told(self) -> None:
        assert server_name("https://me:word@example.org:8/mcp?key=1#x") == "https://example.org:8/mcp"


def _program(text):
    return [sys.executable, "-c", text]


GOOD_STDIO = """
from mcp.server.mcpserver import MCPServer
server = MCPServer("one", log_level="ERROR")
@server.tool()
def add(a: int, b: int) -> dict[str, int]:
    "Add."
    return {"sum": a + b}
server.run()
"""


class TestProgramsOverStdio:
    def test_a_program_answers(self) -> None:
        assert call_tool(_program(GOOD_STDIO), "add", {"a": 2, "b": 2}).data == {"sum": 4}

    def test_an_unknown_tool_names_the_nearest(self) -> None:
        with pytest.raises(UnknownTool) as caught:
            call_tool(_program(GOOD_STDIO), "addd", {})
        assert caught.value.hint == "did you mean add?"

    def test_other_words_on_its_output_are_told(self) -> None:
        with pytest.raises(MalformedAnswer, match="no message: 'Hello!'"):
            call_tool(_program("print('Hello!', flush=True); input(); input()"), "add", {})

    def test_a_program_that_ends_says_how(self) -> None:
        with pytest.raises(ServerUnreachable, match=r"exit status 3: .*no rules"):
            call_tool(_program("import sys; print('no rules', file=sys.stderr); sys.exit(3)"), "add", {})

    @pytest.mark.parametrize("command", [["/no/such/program"], [], ["\0"]])
    def test_a_program_that_is_not_there_is_told(self, command) -> None:
        with pytest.raises(ServerUnreachable):
            call_tool(command, "add", {})

    def test_a_line_without_end_is_not_taken_into_memory(self) -> None:
        flood = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
        with pytest.raises(AnswerTooLarge):
            call_tool(_program(flood), "add", {}, max_bytes=500_000)

    def test_a_stubborn_program_is_ended_with_the_call(self, tmp_path) -> None:
        note = tmp_path / "pid"
        text = (
            "import os, pathlib, signal, time\n"
            "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
            f"pathlib.Path({str(note)!r}).write_text(str(os.getpid()))\n"
            "time.sleep(60)\n"
        )
        with pytest.raises(ServerTimeout):
            call_tool(_program(text), "add", {}, timeout=1)
        with pytest.raises(ProcessLookupError):
            os.kill(int(note.read_text()), 0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_ctrl_c_ends_a_call() -> None:
    asking = (
        "import sys\nfrom famulus_kernel.remote import call_tool\nprint('asks', flush=True)\n"
        "try:\n    call_tool(sys.argv[1], 'add', {}, timeout=60)\nexcept KeyboardInterrupt:\n    print('stopped')\n"
    )
    with bad_server(_hang) as url:
        process = subprocess.Popen([sys.executable, "-c", asking, url], stdout=subprocess.PIPE, text=True)
        assert process.stdout.readline() == "asks\n"
        time.sleep(0.3)
        before = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=10)[0] == "stopped\n"
        assert time.monotonic() - before < 5
        assert process.returncode == 0


def test_every_error_of_a_server_can_be_written_down_and_read_again() -> None:
    error = UnknownTool.of("http://x/mcp", "a*b", ["c"])
    again = FamulusError.from_dict(error.as_dict())
    assert type(again) is UnknownTool
    assert again.message == error.message
