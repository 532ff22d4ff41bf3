"""Pages without Quarto: the embedded renderer (spec 7.4), and the places of blocks that Quarto's engine uses too.

Start at :mod:`~famulus_kernel.render.renderer`; the engine's worker, which does not need it, starts without it.
"""
