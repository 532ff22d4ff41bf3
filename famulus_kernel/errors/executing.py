"""What goes wrong where blocks are played: in worker processes and on clusters (spec 3.8)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from famulus_kernel.errors.base import FamulusError, bold, counted, listed, offer

if TYPE_CHECKING:
    from collections.abc import Iterable


class WorkerDied(FamulusError):
    """What played a block died under it, and again when another one tried."""

    code = "worker-died"

    @classmethod
    def of(cls, block: str, how: str) -> Self:
        """The process that played `block` ended as `how` says, the second one too."""
        return cls(
            f"the process that played {bold(block)} {how}, and so did the second one",
            hint="what is killed has often used up the memory: ask for less, or run with fewer jobs",
        )

    @classmethod
    def on_cluster(cls, block: str, worker: str, tries: int) -> Self:
        """So many workers died while they played `block`; the last one was `worker`."""
        return cls(
            f"{counted(tries, 'worker')} died while they played {bold(block)}, the last one at {worker}",
            hint="the logs of the workers say more; what is killed has often used up the memory",
        )


class ExecutorError(FamulusError):
    """Blocks cannot be played where they were to be played."""

    code = "executor"
    exit_status = 2

    @classmethod
    def unknown(cls, name: str, known: Iterable[str]) -> Self:
        """`name` is none of the `known` executors."""
        return cls(f"there is no executor {bold(name)}", hint=offer(name, known))

    @classmethod
    def malformed(cls, written: str, expected: str) -> Self:
        """`written` is not what the executor needs, which is `expected`."""
        return cls(f"the executor {bold(written)} cannot be used", hint=f"write {expected}")

    @classmethod
    def unreachable(cls, address: str, why: str) -> Self:
        """No scheduler answers at `address` because of `why`."""
        return cls(
            f"no Dask scheduler answers at {bold(address)}: {why}",
            hint="start one with dask scheduler, or mend the address (such as tcp://127.0.0.1:8786)",
        )

    @classmethod
    def no_workers(cls, address: str, seconds: float) -> Self:
        """The scheduler at `address` had no worker for so many seconds."""
        return cls(
            f"the scheduler {bold(address)} has no workers (waited {seconds:g} s)",
            hint=f"start some with dask worker {address}",
        )

    @classmethod
    def unfit(cls, worker: str, why: str, hint: str) -> Self:
        """The worker at the address `worker` cannot play because of `why`."""
        return cls(f"the worker {bold(worker)} {why}", hint=hint)

    @classmethod
    def lost(cls, address: str, blocks: Iterable[str]) -> Self:
        """The scheduler at `address` went away while `blocks` were played."""
        return cls(
            f"the scheduler {bold(address)} is gone; it was playing {listed(blocks)}",
            hint="what was finished stays; start the scheduler and run again",
        )
