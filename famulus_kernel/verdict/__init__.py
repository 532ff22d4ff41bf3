"""The verdict: what a block's oracle expects, compared with what its plan returned (spec 6)."""

from __future__ import annotations

from famulus_kernel.verdict.measures import LongList, Measures
from famulus_kernel.verdict.oracle import OracleResult, check_oracle, compare

__all__ = ["LongList", "Measures", "OracleResult", "check_oracle", "compare"]
