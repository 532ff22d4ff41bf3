"""Golden rows (spec 6.3): what agent_memory.duckdb expects, written into blocks, compared with them, proven by them."""
