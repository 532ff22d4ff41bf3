"""The kernel as jupyter_kernel_test wants every kernel to be; no test of it is skipped."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any, ClassVar

import jupyter_kernel_test
from kernels import kernel_manager, surroundings
from projects import ProjectFolder, read_block

GREETING = read_block("greeting", "SELECT 'hello, world' AS answer")
KEPT = read_block("kept", "SELECT 1 AS one", extra="rerun: never", instruction="Changed?")


class FamulusKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "famulus"
    language_name = "famulus"
    file_extension = ".fam"
    code_hello_world = "%print greeting.tab"
    code_stderr = KEPT
    completion_samples: ClassVar[list[dict[str, Any]]] = [
        {"text": "---\nid: x\nsubt", "matches": ["subtask: "]},
        {"text": "---\nid: x\nsubtask: letter-", "matches": ["letter-subject"]},
        {"text": "greeting.", "matches": ["greeting.tab", "greeting.report"]},
        {"text": "%cl", "matches": ["clear"]},
    ]
    complete_code_samples: ClassVar[list[str]] = [GREETING, "", "greeting.tab", "%status", "---\nid: x\n---\n"]
    incomplete_code_samples: ClassVar[list[str]] = ["---\nid: x\n---", "---\nid: x\npartiturs:\n", "#| label: x\n"]
    invalid_code_samples: ClassVar[list[str]] = ["---\nid: [\n---\n", "two words", "---\nid: x\nid: y\n---\n"]
    code_page_something = "greeting?"
    code_generate_error = read_block("bad", "SELECT FROM WHERE")
    code_execute_result: ClassVar[list[dict[str, str]]] = [
        {"code": "greeting.tab:rows.0.0", "result": "hello, world"},
        {"code": "greeting.tab:n_rows", "result": "1"},
        {"code": "greeting", "mime": "text/html"},
    ]
    code_display_data: ClassVar[list[dict[str, str]]] = [
        {"code": GREETING, "mime": "text/html"},
        {"code": GREETING, "mime": "text/markdown"},
        {"code": GREETING, "mime": "application/vnd.famulus.artefact+json"},
    ]
    code_history_pattern = "greeting.tab:n*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "greeting.tab"
    code_clear_output = "%clear"

    @classmethod
    def setUpClass(cls) -> None:
        """Start the kernel of this checkout in a project that has a greeting and a block that may not run again."""
        cls.place = Path(tempfile.mkdtemp())
        folder = ProjectFolder(cls.place / "probe")
        folder.write("famulus.yml", "id: probe\n")
        folder.blocks("a.fam", GREETING, read_block("kept", "SELECT 1 AS one"))
        cls.km = kernel_manager(cls.place)
        cls.km.start_kernel(cwd=str(folder.root), env=surroundings())
        cls.kc = cls.km.client()
        cls.kc.start_channels()
        cls.kc.wait_for_ready(timeout=60)
        for code in (GREETING, read_block("kept", "SELECT 1 AS one")):
            assert cls.kc.execute_interactive(code, timeout=30)["content"]["status"] == "ok"

    @classmethod
    def tearDownClass(cls) -> None:
        super().tearDownClass()
        cls.km.cleanup_resources()
        shutil.rmtree(cls.place)
