"""A volume plugin: each volume is a directory. Usage: volumes.py SOCKET DIRECTORY"""

import json
import os
import re
import shutil
import socketserver
import sys
from http.server import BaseHTTPRequestHandler
from threading import Lock


class Refused(Exception):
    """Shown to the client of the API."""


class Directories:
    """The volumes, and who has mounted them. A restart forgets the latter: the engine mounts again."""

    def __init__(self, root):
        self.root = os.path.abspath(root)
        self.users = {}
        os.makedirs(self.root, mode=0o711, exist_ok=True)

    def path(self, name):
        if not re.fullmatch(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*", name):
            raise Refused(f'"{name}" is not a volume name')
        return os.path.join(self.root, name)

    def describe(self, name):
        path = self.path(name)
        if not os.path.isdir(path):
            raise Refused(f"no such volume: {name}")
        return {"Name": name, "Mountpoint": path, "Status": {"users": len(self.users.get(name, ()))}}

    def activate(self, _):
        return {"Implements": ["VolumeDriver"]}

    def capabilities(self, _):
        return {"Capabilities": {"Scope": "local"}}

    def create(self, request):
        for option in request.get("Opts") or {}:
            raise Refused(f'unknown option "{option}": volumes of this driver have none')
        os.makedirs(self.path(request["Name"]), mode=0o755, exist_ok=True)

    def get(self, request):
        return {"Volume": self.describe(request["Name"])}

    def list(self, _):
        return {"Volumes": [self.describe(name) for name in sorted(os.listdir(self.root)) if not name.startswith(".")]}

    def mount(self, request):
        volume = self.describe(request["Name"])
        self.users.setdefault(request["Name"], set()).add(request["ID"])
        return {"Mountpoint": volume["Mountpoint"]}

    def unmount(self, request):
        self.users.get(request["Name"], set()).discard(request["ID"])

    def remove(self, request):
        name = request["Name"]
        path = self.describe(name)["Mountpoint"]
        # Renamed first: a kill in between leaves no half of a volume in the list.
        gone = os.path.join(self.root, f".removed-{name}")
        shutil.rmtree(gone, ignore_errors=True)
        os.rename(path, gone)
        shutil.rmtree(gone)


def handler(volumes):
    methods = {
        "/Plugin.Activate": volumes.activate,
        "/VolumeDriver.Capabilities": volumes.capabilities,
        "/VolumeDriver.Create": volumes.create,
        "/VolumeDriver.Get": volumes.get,
        "/VolumeDriver.List": volumes.list,
        "/VolumeDriver.Mount": volumes.mount,
        "/VolumeDriver.Unmount": volumes.unmount,
        "/VolumeDriver.Remove": volumes.remove,
    }
    lock = Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            method = methods.get(self.path)
            try:
                if method is None:
                    return self.answer(404, {"Err": f"{self.path} is not implemented"})
                with lock:
                    self.answer(200, method(json.loads(body or b"{}")) or {})
            except Refused as reason:
                self.answer(500, {"Err": str(reason)})

        def answer(self, status, value):
            text = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def address_string(self):
            return "engine"

        def log_message(self, format, *args):
            pass

    return Handler


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


def main(path, root):
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    # The socket of one that was killed. The engine connects as soon as the file is there.
    if os.path.exists(path):
        os.unlink(path)
    with Server(path, handler(Directories(root))) as server:
        server.serve_forever()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
