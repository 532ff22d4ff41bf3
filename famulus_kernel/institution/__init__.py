"""The language institution: our small server of it, its rules for texts, and the way to ask it (spec 3.9, 6.4)."""
