"""A web server on this machine, whose pages are functions."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

RSS = """<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>http://news.example/</link>
<item><guid isPermaLink="false">2</guid><title>Corn &amp; wheat</title><link>http://news.example/2</link>
<description>&lt;p&gt;The &lt;b&gt;harvest&lt;/b&gt; was good.&lt;/p&gt;</description>
<pubDate>Tue, 03 Nov 2026 10:00:00 GMT</pubDate></item>
<item><guid isPermaLink="false">1</guid><title>Oil</title><description>Prices fell.</description>
<pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate></item></channel></rss>"""


class Web:
    """The pages by path; a page gets the request's handler and answers with it."""

    def __init__(self):
        self.pages, self.asked = {}, []
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                web.asked.append((self.path, dict(self.headers)))
                try:
                    web.pages[self.path](self)
                except OSError:  # the client has gone
                    self.close_connection = True

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def serve(self, path, body=b"", status=200, **headers):
        """Answer with these bytes; underscores of headers are hyphens."""
        body = body.encode() if isinstance(body, str) else body

        def page(handler):
            handler.send_response(status)
            for name, value in ({"Content-Length": str(len(body))} | headers).items():
                if value is not None:
                    handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(body)

        self.pages[path] = page
        return self.url + path


@pytest.fixture
def web():
    found = Web()
    yield found
    found.server.shutdown()
    found.server.server_close()
