"""The Jupyter kernel (spec 7.1): a cell is a block, its answer is what the store holds of it.

`serving` opens the sockets, `kernel` speaks the protocol, `cells` says what a cell is and answers it. Nothing here is
imported before it is needed: a kernel is ready before the first library of the project is loaded.
"""
