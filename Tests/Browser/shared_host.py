"""One host for several servers: reverse proxies that pass paths on, set up as the documentation says."""
import os
import re
import subprocess

from others import unpacked, wait_until_it_answers
from people import PATIENCE, ROOT, free_port

DOCUMENT = ROOT / "Sources/BreadlyApp/BreadlyApp.docc/SelfHosting.md"
# What the documentation calls the path and the server.
PATH, SERVER = "/breadly", "127.0.0.1:8080"


def documented(program):
    """The lines that the documentation gives for a server below a path."""
    section = DOCUMENT.read_text().split("## Below a path of a host\n")[1].split("\n## ")[0]
    blocks = re.findall(rf"\n[^\n]*{program}[^\n]*:\n\n```\n(.*?)```", section, re.DOTALL | re.IGNORECASE)
    assert len(blocks) == 1, f"{len(blocks)} blocks for {program}"
    return blocks[0]


class Proxy:
    """A proxy on a port of its own. `serve` starts it for each path of `targets` (path: port of a server)."""

    def __init__(self, folder):
        self.port = free_port()
        self.folder = folder
        self.process = None
        self.url = f"{self.scheme}://localhost:{self.port}"

    def start(self, *command):
        log = self.folder / "proxy.log"
        self.process = subprocess.Popen(
            command, stdout=open(log, "w"), stderr=subprocess.STDOUT, cwd=self.folder,
            env=os.environ | {"XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)})
        wait_until_it_answers(self.process, self.url)

    def stop(self):
        if self.process:
            # Asked to end, it would wait for the streams of events of pages that are still open.
            self.process.kill()
            self.process.wait(timeout=PATIENCE)


class Nginx(Proxy):
    """nginx, which buffers answers unless it is configured not to, without TLS."""
    scheme = "http"

    def serve(self, targets):
        nginx = unpacked("nginx", "usr/sbin/nginx")
        block = documented("nginx")
        locations = "\n".join(block.replace(PATH, path).replace(SERVER, f"127.0.0.1:{port}")
                              for path, port in targets.items())
        temporary = "\n".join(f"{kind}_temp_path {self.folder}/{kind};"
                              for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        configuration = self.folder / "nginx.conf"
        configuration.write_text(f"""
            daemon off; master_process off; pid {self.folder}/nginx.pid; error_log stderr;
            events {{ }}
            http {{
                access_log off;
                {temporary}
                server {{
                    listen 127.0.0.1:{self.port};
                    {locations}
                }}
            }}
        """)
        self.start(nginx, "-p", self.folder, "-e", "stderr", "-c", configuration)


class Caddy(Proxy):
    """Caddy, over TLS with a certificate of its own."""
    scheme = "https"

    def serve(self, targets):
        caddy = unpacked("caddy", "usr/bin/caddy")
        site, *lines, last = documented("Caddy").splitlines()
        assert (site, last) == ("home.example {", "}")
        handlers = "\n".join("\n".join(lines).replace(PATH, path).replace(SERVER, f"127.0.0.1:{port}")
                             for path, port in targets.items())
        configuration = self.folder / "Caddyfile"
        configuration.write_text(
            "{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n"
            f"localhost:{self.port} {{\n\ttls internal\n{handlers}\n}}\n")
        self.start(caddy, "run", "--config", configuration, "--adapter", "caddyfile")
