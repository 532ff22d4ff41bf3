"""`status` on 1,000 and 5,000 blocks with five input files each, beside make, dvc and snakemake on the same graph."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measuring import Result, command, seconds
from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.project.project import Project

if TYPE_CHECKING:
    from collections.abc import Iterator

FILES_A_BLOCK = 5
BLOCKS_A_NOTEBOOK = 20
CLI = (sys.executable, "-m", "famulus_kernel.cli")


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the times of a clean status, ours and the peers'."""
    for blocks in (60,) if quick else (1_000, 5_000):
        root = made(work, blocks)
        ours = seconds(lambda root=root: command([*CLI, "status", "."], root))
        yield Result(f"famulus-notebook status, {blocks} blocks, {blocks * FILES_A_BLOCK} files", f"{ours:.3f} s")
        yield Result(f"make -q, {blocks} targets", f"{seconds(lambda root=root: command(['make', '-sq'], root)):.3f} s")
        yield from _peers(root, blocks)


def made(work: Path, blocks: int) -> Path:
    """Make the project, if it is not there, and return its folder."""
    root = work / f"status-{blocks}"
    if not (root / "ready").exists():
        shutil.rmtree(root, ignore_errors=True)
        _make(root, blocks)
    return root


def _peers(root: Path, blocks: int) -> Iterator[Result]:
    for name, words in (("dvc", ["status", "-q"]), ("snakemake", ["-n", "-q"])):
        program = shutil.which(name)
        if program is None:
            yield Result(f"{name}, {blocks} stages", "not installed")
        elif blocks > 1_000 and name == "dvc":
            yield Result(f"{name}, {blocks} stages", "left out: minutes")
        else:
            took = seconds(lambda program=program, words=words: command([program, *words], root), repeat=3)
            yield Result(f"{name} {' '.join(words)}, {blocks} stages", f"{took:.3f} s")


def _make(root: Path, blocks: int) -> None:
    """Write a project, a Makefile, a Snakefile and a dvc.yaml of the same graph, all of them up to date."""
    (root / "data").mkdir(parents=True)
    (root / "out").mkdir()
    (root / "famulus.yml").write_text("id: status\n")
    for number in range(blocks * FILES_A_BLOCK):
        path = root / "data" / f"{number}.csv"
        path.write_text(f"n\n{number}\n")
        os.utime(path, (1_700_000_000, 1_700_000_000))
    for number in range(0, blocks, BLOCKS_A_NOTEBOOK):
        text = "\n\n".join(_block(one) for one in range(number, number + BLOCKS_A_NOTEBOOK))
        (root / f"n{number}.fam").write_text(text + "\n")
    _play(root)
    for number in range(blocks):
        (root / "out" / f"{number}.txt").write_text("x")
    _peer_files(root, blocks)
    (root / "ready").touch()


def _block(number: int) -> str:
    files = ", ".join(f"'data/{number * FILES_A_BLOCK + one}.csv'" for one in range(FILES_A_BLOCK))
    return (
        f"```{{famulus}}\n---\nid: block-{number}\npartiturs:\n  - id: duckdb-read\n    input:\n      sql: |\n"
        f"        SELECT sum(n) AS total\n        FROM read_csv([{files}])\n    artefact: table\n"
        f"artefacts:\n  - {{name: table, kind: table}}\noracle:\n  total: {{min: 0}}\n---\nWhat is the sum?\n```"
    )


def _play(root: Path) -> None:
    project = Project.open(root)
    adapter = Adapter(project)
    for block in project.blocks.values():
        adapter.run(block)


def _peer_files(root: Path, blocks: int) -> None:
    inputs = [[f"data/{number * FILES_A_BLOCK + one}.csv" for one in range(FILES_A_BLOCK)] for number in range(blocks)]
    rules = [f"all: {' '.join(f'out/{number}.txt' for number in range(blocks))}\n"]
    rules += [f"out/{number}.txt: {' '.join(files)}\n\ttouch $@\n" for number, files in enumerate(inputs)]
    (root / "Makefile").write_text("\n".join(rules))
    snake = [f"rule all:\n    input: {[f'out/{number}.txt' for number in range(blocks)]}\n"]
    snake += [
        f"rule r{number}:\n    input: {files}\n    output: 'out/{number}.txt'\n    shell: 'touch {{output}}'\n"
        for number, files in enumerate(inputs)
    ]
    (root / "Snakefile").write_text("\n".join(snake))
    if shutil.which("dvc") and blocks <= 1_000:
        stages = [
            f"  s{number}:\n    cmd: touch out/{number}.txt\n    deps: {files}\n    outs: [out/{number}.txt]\n"
            for number, files in enumerate(inputs)
        ]
        (root / "dvc.yaml").write_text("stages:\n" + "".join(stages))
        command(["dvc", "init", "--no-scm", "-q", "-f"], root)
        command(["dvc", "commit", "-q", "-f"], root)
