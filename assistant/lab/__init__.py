"""The lab, by which everything is judged: nothing in the product imports it.

A command ``looper lab NAME`` is a module ``assistant.lab.NAME`` with ``add_arguments(parser)``
and ``run(args) -> int`` (0 fine, 1 something was found, 2 bad input); ``assistant.cli.parser``
lists the names.
"""
