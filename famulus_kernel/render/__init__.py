"""Pages without Quarto: the embedded renderer (spec 7.4), and the places of blocks that Quarto's engine uses too."""

from famulus_kernel.render.renderer import RenderResult, render_project

__all__ = ["RenderResult", "render_project"]
