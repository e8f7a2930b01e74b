"""The shop: a page with the tag, the price of an order, and the address for what happens to it."""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from mobile_money import create_order, find_order, is_genuine, may_ask, page_of, receive

SHOP = urlsplit(os.environ["ORDERS_URL"])
SHOP_PAGE = Path(__file__).with_name("shop.html").read_text()
LARGEST_BODY = 1_000_000


class Shop(BaseHTTPRequestHandler):
    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/":
            return self.answer(200, "text/html; charset=utf-8", SHOP_PAGE)

        if path.startswith("/order/"):
            reference = path.removeprefix("/order/")
            if not find_order(reference):
                return self.answer(404)

            return self.answer(200, "text/html; charset=utf-8", page_of(reference))

        # The payment server asks for the price here, so no browser can change it.
        if not may_ask(self.headers):
            return self.answer(401)

        order = find_order(self.path.removeprefix("/orders/"))
        if not order:
            return self.answer(404)

        return self.answer(200, "application/json", json.dumps(order))

    def do_POST(self):
        if self.path == "/order":
            self.send_response(303)
            self.send_header("location", f"/order/{create_order()}")
            return self.end_headers()

        length = int(self.headers["content-length"])
        body = self.rfile.read(length) if 0 <= length <= LARGEST_BODY else b""
        if not is_genuine(self.headers, body):
            return self.answer(401)

        try:
            receive(self.headers["webhook-id"], json.loads(body))
        except Exception:
            self.answer(500)  # The payment server sends the event again later.
            raise

        self.answer(204)

    def answer(self, status, content_type="text/plain", text=""):
        self.send_response(status)
        self.send_header("content-type", content_type)
        self.end_headers()
        self.wfile.write(text.encode())


ThreadingHTTPServer((SHOP.hostname, SHOP.port), Shop).serve_forever()
