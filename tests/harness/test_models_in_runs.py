"""Models in runs: what they phrase, what they never say, what the trace keeps, what no file ever holds (spec 3.5)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from collections_made import Letter, make_collection
from model_servers import ModelServer, Reply, fails, model_server, ollama_says, says, wait_until
from projects import ProjectFolder

from famulus_kernel.adapter.checking import check_project
from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.errors import AnswerMisfit, BudgetExceeded, FamulusError, PartiturError, UnboundInput
from famulus_kernel.harness.conductor import check, play
from famulus_kernel.harness.partitur import read_partitur
from famulus_kernel.harness.request import RunRequest, RunResult, Surroundings
from famulus_kernel.project.project import Project

pytest.importorskip("pydantic_ai", reason="the extra models is not installed")

SECRET = "sk-famulus-secret-0123456789"
LETTERS = [Letter("L1", "w", "a", "1520-05-03", doc="d1"), Letter("L2", "b", "w", "1521-01-01"), Letter("L3", "w", "a")]
PERSONS = [("w", "Willibald Wirt", "person"), ("a", "Albrecht Maler", "person"), ("b", "Beata Vogt", "person")]
PHRASED = "Neun Briefe von hundert Leuten."


@pytest.fixture
def letters(project: ProjectFolder) -> ProjectFolder:
    """Give a project with a collection of three letters."""
    project.write("famulus.yml", "id: probe\ncollections_root: data\ncollections: [haus]\n")
    make_collection(project.root / "data", "haus", letters=LETTERS, persons=PERSONS, status={"person": "w"})
    return project


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """Give a server that stands where Ollama is looked for."""
    with model_server() as started:
        monkeypatch.setenv("OLLAMA_BASE_URL", started.url)
        started.will(ollama_says(PHRASED))
        yield started


@pytest.fixture(autouse=True)
def _nothing_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OLLAMA_API_KEY", "OLLAMA_BASE_URL", "ORCH_PROVIDER"):
        monkeypatch.delenv(name, raising=False)


def question(preamble: str) -> str:
    return f"---\nid: frage\nsubtask: correspondence-count\n{preamble}\n---\nWie viele?"


def asks(folder: ProjectFolder, preamble: str = "input: {answer: model}", *, force: bool = False) -> Outcome:
    """Run a block that counts correspondents."""
    folder.blocks("a.fam", question(preamble))
    (outcome,) = Runner(Project.open(folder.root), force=force).run(["frage"])
    return outcome


def read(folder: ProjectFolder, name: str, number: int = 1) -> Any:
    return json.loads((folder.version("frage", number) / name).read_bytes())


def test_a_model_phrases_the_answer_and_what_was_counted_stays_counted(
    letters: ProjectFolder, server: ModelServer
) -> None:
    assert asks(letters, "input: {answer: model}\noracle: {n_letters: 3}").status == "pass"
    report = read(letters, "report.json")["data"]
    assert report["answer"] == PHRASED
    assert (report["counts"]["n_letters"], report["counts"]["n_correspondents"]) == (3, 2)
    (step,) = read(letters, "trace.json")["steps"]
    assert step["model"] == {"client": None, "called": "ollama:glm-5.3:cloud"}
    stage = step["steps"][-1]
    assert stage["model"] == {"tag": "ollama:glm-5.3:cloud", "endpoint": server.url}
    (exchange,) = stage["exchanges"]
    assert [exchange["prompt"]] == server.prompts(), "word for word"
    assert "Willibald Wirt had 2 correspondents" in exchange["prompt"]
    told = {key: exchange[key] for key in ("answer", "tokens_in", "tokens_out", "answered_by")}
    assert told == {"answer": PHRASED, "tokens_in": 11, "tokens_out": 7, "answered_by": "glm-5.3:cloud"}
    assert exchange["seconds"] > 0
    assert read(letters, "manifest.json")["inputs"]["model"] == "ollama:glm-5.3:cloud"


def test_a_block_with_a_client_plays_offline_and_says_that_no_model_was_called(letters: ProjectFolder) -> None:
    assert asks(letters, "client: gemini-3.5-flash-lite").status == "pass"
    (step,) = read(letters, "trace.json")["steps"]
    assert step["model"] == {"client": "gemini-3.5-flash-lite", "called": False}
    assert [stage.get("model") for stage in step["steps"] if stage["op"] == "template.answer"] == ["not called"]
    assert "model" not in {key for key, value in read(letters, "manifest.json")["inputs"].items() if value is not None}


def test_orch_provider_and_the_projects_allowlist_choose_the_model(
    letters: ProjectFolder, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.will(says(PHRASED))
    monkeypatch.setenv("ORCH_PROVIDER", "openai:von-der-umgebung")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    assert asks(letters).status == "pass"
    monkeypatch.setenv("HAUS_KEY", SECRET)
    entry = f"{{provider: openai, endpoint: {server.url}, model: haus-7b, api_key_env: HAUS_KEY}}"
    own = f"id: probe\ncollections_root: data\ncollections: [haus]\nmodels: {{haus-modell: {entry}}}\n"
    letters.write("famulus.yml", own)
    assert asks(letters, "client: haus-modell\ninput: {answer: model}").status == "pass"
    assert [asked["body"]["model"] for asked in server.asked] == ["von-der-umgebung", "haus-7b"]
    assert server.asked[1]["headers"]["authorization"] == f"Bearer {SECRET}"


@pytest.mark.parametrize(
    ("client", "names"),
    [
        ("gemini-3.5-flash-lit", "did you mean gemini-3.5-flash-lite?"),
        ("glm-5.3:cloud", "did you mean ollama:glm-5.3:cloud?"),
        ("olama:glm-5.3", "did you mean ollama?"),
        ("haus-model", "did you mean haus-modell?"),
    ],
)
def test_check_refuses_a_client_that_is_no_tag_and_names_the_nearest(
    letters: ProjectFolder, client: str, names: str
) -> None:
    letters.write("famulus.yml", "id: probe\ncollections: [haus]\nmodels: {haus-modell: {provider: openai}}\n")
    letters.blocks("a.fam", question(f"client: {client}"))
    (problem,) = check_project(Project.open(letters.root), ["frage"])
    assert problem.code == "model-unknown"
    assert (problem.where.file, problem.where.key, problem.where.line) == ("a.fam", "client", 5)
    assert client in problem.message
    assert names in problem.hint


def test_check_finds_entries_of_the_allowlist_that_lead_nowhere(letters: ProjectFolder) -> None:
    letters.write("famulus.yml", "id: probe\nmodels: [haus, 'opnai:x', 'openai:y']\n")
    problems = check_project(Project.open(letters.root), [])
    assert [(one.code, one.where.file, one.where.key) for one in problems] == [
        ("model-unknown", "famulus.yml", "models.haus"),
        ("model-unknown", "famulus.yml", "models.opnai:x"),
    ]
    assert "without a provider" in problems[0].message


def test_a_model_that_fails_is_an_error_with_its_trace_and_nothing_takes_its_place(
    letters: ProjectFolder, server: ModelServer
) -> None:
    server.will(fails(500, "ich mag nicht"))
    error = asks(letters).error
    assert error is not None
    assert error.code == "model-http"
    for word in ("ollama:glm-5.3:cloud", server.url, "HTTP status 500", "ich mag nicht"):
        assert word in error.message
    (step,) = read(letters, "trace.json")["steps"]
    assert step["model"]["called"] == "ollama:glm-5.3:cloud"
    (exchange,) = step["steps"][-1]["exchanges"]
    assert [exchange["prompt"]] == server.prompts()
    assert "HTTP status 500" in exchange["problem"]
    assert read(letters, "report.json")["data"]["answer"] == ""


def test_the_text_is_cut_where_the_tokens_end_also_by_a_server_that_ignores_them(
    letters: ProjectFolder, server: ModelServer
) -> None:
    limited = "input: {answer: model}\nlimits: {max_output_tokens: 3}"
    server.will(says("Neun Briefe von", finish="length", tokens=3))
    asks(letters, limited)
    assert read(letters, "report.json")["data"]["answer"] == "Neun Briefe von … [cut: 3 tokens]"
    assert read(letters, "trace.json")["steps"][0]["steps"][-1]["exchanges"][0]["cut"] is True
    assert server.asked[0]["body"]["max_tokens"] == 3
    server.will(says("Neun Briefe von hundert Leuten aus Nürnberg", tokens=9))
    assert asks(letters, limited).action == "kept", "a fresh block is not asked again"
    asks(letters, limited, force=True)
    assert read(letters, "report.json", 2)["data"]["answer"] == "Neun Briefe … [cut: 3 tokens]"


def test_the_wall_clock_ends_a_slow_answer(letters: ProjectFolder, server: ModelServer) -> None:
    server.will(Reply(says(PHRASED).body, drip=0.05))
    error = asks(letters, "input: {answer: model}\nlimits: {max_wall_seconds: 2}").error
    assert error is not None
    assert (error.code, "max_wall_seconds" in error.message) == ("budget", True)


def test_ctrl_c_ends_a_model_that_thinks_and_leaves_nothing(letters: ProjectFolder, server: ModelServer) -> None:
    server.will(Reply(says(PHRASED).body, delay=60))
    letters.blocks("a.fam", question("input: {answer: model}"))
    command = [sys.executable, "-m", "famulus_kernel.cli", "run"]
    process = subprocess.Popen(command, cwd=letters.root, stderr=subprocess.PIPE, text=True)
    wait_until(lambda: bool(server.asked), 60)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130, err
    assert [path.name for path in letters.version("frage").parent.iterdir()] == [".lock"]


@pytest.mark.parametrize("status", [200, 429])
def test_a_key_stands_in_no_file_and_no_output_of_a_run(
    letters: ProjectFolder, server: ModelServer, status: int
) -> None:
    def shout(asked: dict[str, Any]) -> Any:
        heard = f"{asked['headers']['authorization']} {SECRET[:-4]}…"
        return says(heard).body if status == 200 else {"error": {"message": heard}}

    server.will(Reply(shout, status))
    letters.blocks("a.fam", question("input: {answer: model}"))
    env = {"ORCH_PROVIDER": "openai:probe", "OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": SECRET}
    ran = letters.cli("run", ".", env=env)
    assert ran.status == (0 if status == 200 else 1)
    assert server.asked[0]["headers"]["authorization"] == f"Bearer {SECRET}"
    rendered = letters.cli("render", ".", env=env)
    assert (letters.root / "_site" / "a.html").exists(), rendered.err
    log = letters.cli("log", ".", "frage", "--version", "v1", env=env)
    assert "openai:probe" in log.out
    for one in (ran, rendered, log):
        assert SECRET not in one.out + one.err
    files = [path for path in letters.root.rglob("*") if path.is_file()]
    assert len(files) > 8
    assert [path for path in files if SECRET.encode() in path.read_bytes()] == []


EXTRACT = """
id: lesen
version: "1"
goal_path: probe/lesen
title: Read something out
inputs:
  instruction: {type: string, required: true, description: What.}
stages:
  - id: gelesen
    op: model.extract
    with:
      prompt: "{{ inputs.instruction }}"
      text: Lieber Willibald, aus Venedig, den 6. Januar 1506.
      schema: SCHEMA
contract: {}
"""
PLACE = "{type: object, required: [ort], properties: {ort: {type: string}}}"


def extracts(server: ModelServer, folder: ProjectFolder, schema: str = PLACE, **limits: float) -> RunResult:
    document = read_partitur(EXTRACT.replace("SCHEMA", schema).encode())
    models = {"probe": {"provider": "openai", "endpoint": server.url}}
    around = Surroundings(folder.root, folder.root, models=models)
    inputs = {"instruction": "Woher?"}
    request = RunRequest("b", "Woher?", "lesen", model="probe", inputs=inputs, limits=limits, surroundings=around)
    check(document, request)
    return play(document, request)


def test_model_extract_gives_what_fits_the_schema(server: ModelServer, project: ProjectFolder) -> None:
    server.will(says("Venedig"), says('{"ort": "Venedig"}'))
    found = extracts(server, project)
    assert (found.result, found.model) == ({"ort": "Venedig"}, "probe")
    (stage,) = found.trace
    assert [exchange["answer"] for exchange in stage["exchanges"]] == ["Venedig", '{"ort": "Venedig"}']
    assert stage["exchanges"][0]["prompt"].startswith("Woher?\n\nLieber Willibald, aus Venedig")
    assert found.usage["output_tokens"] == 14


@pytest.mark.parametrize(
    ("schema", "error"),
    [
        ("{type: nonsense}", PartiturError),
        ("[1]", UnboundInput),
        ("{properties: {counts: {type: object}}}", UnboundInput),
        ("{properties: {findings: {type: array}}}", UnboundInput),
    ],
)
def test_a_schema_that_is_none_or_asks_for_counts_is_refused_before_anything_is_asked(
    server: ModelServer, project: ProjectFolder, schema: str, error: type[FamulusError]
) -> None:
    with pytest.raises(error):
        extracts(server, project, schema)
    assert server.asked == []


def test_counts_that_a_model_adds_on_its_own_are_refused(server: ModelServer, project: ProjectFolder) -> None:
    server.will(says('{"ort": "Venedig", "counts": {"n_letters": 99}}'))
    with pytest.raises(AnswerMisfit, match="gave counts, which never come from a model"):
        extracts(server, project)


def test_without_tokens_no_model_is_asked(server: ModelServer, project: ProjectFolder) -> None:
    server.will(says("drei", tokens=6))
    with pytest.raises(FamulusError, match="used up its tokens"):
        extracts(server, project, max_output_tokens=5)
    assert len(server.asked) == 1
    with pytest.raises(BudgetExceeded):
        extracts(server, project, max_wall_seconds=0.0)
    assert len(server.asked) == 1
