"""The page: a plain, server-rendered site for the phones around the table.

``create_app`` makes the WSGI application, ``serve`` runs it on the local network.
"""

from assistant.web.app import create_app
from assistant.web.server import serve

__all__ = ["create_app", "serve"]
