"""A project: famulus.yml, notebooks, the graph of blocks, and whether they are stale."""

from famulus_kernel.project.project import Project

__all__ = ["Project"]
