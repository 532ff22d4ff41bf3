"""Playing plans: the request and result, the harnesses, and the versions of operations."""

from famulus_kernel.harness.registry import harness
from famulus_kernel.harness.request import Harness, RunRequest, RunResult, Surroundings

__all__ = ["Harness", "RunRequest", "RunResult", "Surroundings", "harness"]
