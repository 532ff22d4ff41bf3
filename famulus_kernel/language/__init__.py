"""The language (spec 1): documents, blocks, preambles, references. Text in, frozen values out; no disk is touched.

Start at :mod:`~famulus_kernel.language.document` for a file, :mod:`~famulus_kernel.language.block` for one block,
:mod:`~famulus_kernel.language.preamble` for what it says, :mod:`~famulus_kernel.language.project_file` for famulus.yml.
"""
