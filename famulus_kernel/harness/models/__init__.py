"""Language models: tags, keys, and answers that are counted, bounded and checked (spec 3.5).

:func:`open_model` turns a tag into a :class:`Model`; :meth:`Model.answer` asks it one thing. Nothing of a client
library is imported before a model is asked.
"""

from famulus_kernel.harness.models.asking import Exchange
from famulus_kernel.harness.models.model import Completion, Model, open_model
from famulus_kernel.harness.models.tags import default_model, resolve

__all__ = ["Completion", "Exchange", "Model", "default_model", "open_model", "resolve"]
