"""`python smoke.py FOLDER` starts the installed server on an empty data folder, and books through the Open API.

It uses nothing but the standard library, so it runs wherever the server is installed.
"""

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

PATIENCE_SECONDS = 300


def start(folder: str) -> tuple["subprocess.Popen[str]", dict[str, str]]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    settings = {"FRONTDESK_DATA_DIR": folder, "FRONTDESK_PORT": port}
    program = Path(sys.executable).parent / "frontdesk"
    service = subprocess.Popen(
        [program, "serve", "--sandbox"], env=os.environ | settings, stderr=subprocess.PIPE, text=True
    )
    printed = {}
    assert service.stderr is not None
    for line in service.stderr:
        words = line.split()
        if len(words) == 2:
            printed[words[0]] = words[1]
        if "password" in printed:
            return service, printed
    raise RuntimeError("the server did not start")


def call(address: str, token: str = "", body: dict[str, Any] | None = None) -> Any:
    headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
    sent = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, sent, headers), timeout=PATIENCE_SECONDS) as answer:
        return json.load(answer)


def book(sandbox: dict[str, str]) -> None:
    """As the quick start does."""
    base = sandbox["base_url"]
    named = {name: sandbox[name] for name in ("client_id", "client_secret")}
    grant = {"grant_type": "client_credentials", "scope": "", **named}
    token = call(f"{base}/oauth/token", body=grant)["access_token"]
    service = call(f"{base}/items?type=service", token)["data"][0]
    branch = call(f"{base}/items/{service['id']}", token)["data"]["branch"]
    customer = call(f"{base}/customers", token, {"first_name": "Sara"})["data"]
    search = {"service_id": service["id"], "date": time.strftime("%Y-%m-%d"), "next_availability": True}
    slots = call(f"{base}/availability", token, search)["data"]["slots"]
    start = next(f"{day}T{times[0]}:00" for day, times in slots.items() if times)
    line = {"id": service["id"], "type": "service", "quantity": 1, "unit_amount": 120}
    order = {"team_id": branch["id"], "customer_id": customer["id"], "start": start, "items": [line]}
    payment = {"amount": 120, "payment_method_type": "cash"}
    booked = call(f"{base}/orders", token, order | {"payment": payment})["data"]
    if (booked["status"], booked["payment_status"]) != ("confirmed", "paid"):
        raise RuntimeError(f"the order is {booked}")


if __name__ == "__main__":
    running, credentials = start(sys.argv[1])
    try:
        book(credentials)
    finally:
        running.terminate()
        running.wait(PATIENCE_SECONDS)
