"""From a question in plain words to a block that asks it: what `famulus-notebook new` writes (spec 9)."""
