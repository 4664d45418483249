"""Two OpenID Connect providers of other projects, each on a free port of this machine."""
import gzip
import json
import pathlib
import re
import subprocess
import sys
import urllib.request

import pytest

from conftest import PATIENCE
from others import unpacked, wait_until_it_answers
from people import ROOT, free_port

GLEWLWYD = ROOT / ".build/glewlwyd"


class Mock:
    """`oidc-provider-mock`: RS256, no key id, an array of audiences; its page asks for a subject."""
    name = "Mock"

    def __init__(self, folder):
        program = pathlib.Path(sys.executable).parent / "oidc-provider-mock"
        if not program.exists():
            pytest.skip("oidc-provider-mock is not installed: run .ci/prepare test")
        port = free_port()
        self.issuer = f"http://127.0.0.1:{port}"
        claims = {"sub": "g-1", "email": "mia@x.test", "email_verified": False, "name": "Mia"}
        self.process = subprocess.Popen(
            [program, "-p", str(port), "--user-claims", json.dumps(claims)],
            stdout=open(folder / "mock.log", "w"), stderr=subprocess.STDOUT)
        wait_until_it_answers(self.process, self.issuer + "/.well-known/openid-configuration")

    def register(self, server):
        pass

    def prepare(self, page):
        pass

    def sign_in(self, page):
        page.get_by_placeholder("sub").fill("g-1")
        page.get_by_role("button", name="Authorize").click()

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


# A key of tests alone. The first byte of its x is zero, which Glewlwyd leaves out of the key that it publishes.
SHORT_KEY = """\
-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAvtDmn3LofSp9pT2
3kjIWaTguEwTLA89w1QwVpjLstGhRANCAAQAwwdmo/Yx6plyvVxDl4LaCX2fM3ir
LK3i+D7Q5wLa4/Zse+QQUo5g/jV5H3bJ6WnaFPtTEwr+FhWwSEJ/oNhk
-----END PRIVATE KEY-----
"""


class Glewlwyd:
    """Debian's `glewlwyd`: it insists on PKCE, and its signature can be configured."""
    name = "Glewlwyd"

    def __init__(self, folder, signing):
        program = unpacked("glewlwyd", "usr/bin/glewlwyd")
        port = free_port()
        self.base = f"http://localhost:{port}"
        self.issuer = f"{self.base}/api/{signing}"
        self.cookie = None
        database = folder / "glewlwyd.db"
        schema = (GLEWLWYD / "usr/share/dbconfig-common/data/glewlwyd/install/sqlite3").read_text()
        subprocess.run(["sqlite3", str(database)], input=schema, text=True, check=True)
        sample = GLEWLWYD / "usr/share/doc/glewlwyd/glewlwyd.conf.sample.gz"
        with gzip.open(sample, "rt") as file:
            text = file.read()
        modules = GLEWLWYD / "usr/lib/glewlwyd"
        (modules / "user_middleware").mkdir(exist_ok=True)
        text = text.replace("/var/cache/glewlwyd/glewlwyd.db", str(database)).replace("/usr/lib/glewlwyd", str(modules))
        # Its pages are an application that another package holds. This one does what that does after a sign-in.
        static = folder / "static"
        static.mkdir()
        (static / "login.html").write_text(
            "<script>location.replace(new URLSearchParams(location.search).get('callback_url') + '&g_continue')"
            "</script>")
        changes = {
            "port": port, "external_url": f'"{self.base}"', "log_mode": '"file"', "log_level": '"DEBUG"',
            "log_file": f'"{folder}/glewlwyd.log"', "cookie_domain": '""', "cookie_secure": 0,
            "static_files_path": f'"{static}"',
        }
        for key, value in changes.items():
            text = re.sub(rf"(?m)^{key}\s*=.*$", lambda _: f"{key}={value}", text)
        configuration = folder / "glewlwyd.conf"
        configuration.write_text(text)
        self.process = subprocess.Popen(
            [program, "-c", configuration],
            stdout=open(folder / "glewlwyd.out", "w"), stderr=subprocess.STDOUT)
        wait_until_it_answers(self.process, self.base + "/api/auth/")
        self.call("POST", "/auth/", {"username": "admin", "password": "password"})
        key = SHORT_KEY if signing == "ecdsa" else self.openssl(
            "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048")
        certificate = self.openssl("pkey", "-pubout", given=key)
        self.call("POST", "/mod/plugin/", {
            "module": "oidc", "name": signing, "display_name": signing, "parameters": {
                "iss": self.issuer, "jwt-type": signing, "jwt-key-size": "256", "key": key, "cert": certificate,
                "code-duration": 600, "access-token-duration": 3600, "refresh-token-duration": 3600,
                "allow-non-oidc": False, "auth-type-code-enabled": True, "jwks-show": True,
                "auth-type-token-enabled": False, "auth-type-id-token-enabled": True,
                "auth-type-none-enabled": False, "auth-type-password-enabled": False,
                "auth-type-client-enabled": False, "auth-type-refresh-enabled": False,
                "auth-type-device-enabled": False, "refresh-token-rolling": True,
                "subject-type": "public", "pkce-allowed": True, "pkce-method-plain-allowed": False,
                "pkce-required": True, "allowed-scope": ["openid", "email", "profile"],
                "name-claim": "mandatory", "email-claim": "mandatory", "scope-claim": "no",
                "address-claim": {"type": "no"}, "claims": [],
            }})
        for scope in ("email", "profile"):
            self.call("POST", "/scope/", {"name": scope, "display_name": scope, "password_required": False})
        self.call("POST", "/user/", {
            "username": "anna", "name": "Anna", "email": "anna@x.test", "password": "annas password",
            "scope": ["openid", "email", "profile", "g_profile"], "enabled": True})

    @staticmethod
    def openssl(*arguments, given=None):
        done = subprocess.run(["openssl", *arguments], input=given, capture_output=True, text=True, check=True)
        return done.stdout

    def call(self, method, path, body):
        request = urllib.request.Request(
            self.base + "/api" + path, method=method, data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **({"Cookie": self.cookie} if self.cookie else {})})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            cookie = answer.headers.get("Set-Cookie")
            if cookie and not self.cookie:
                self.cookie = cookie.split(";")[0]

    def register(self, server):
        self.call("POST", "/client/", {
            "client_id": "breadly", "name": "Breadly", "password": "s3cret", "client_secret": "s3cret",
            "confidential": True, "redirect_uri": [server.url + "/sign-in/callback"],
            "authorization_type": ["code"], "scope": ["openid", "email", "profile"], "enabled": True,
            "token_endpoint_auth_method": ["client_secret_basic"]})

    def prepare(self, page):
        """The user is signed in there already."""
        body = {"username": "anna", "password": "annas password"}
        assert page.request.post(self.base + "/api/auth/", data=body).ok
        granted = {"scope": "openid email profile"}
        assert page.request.put(self.base + "/api/auth/grant/breadly", data=granted).ok

    def sign_in(self, page):
        pass

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


def make(kind, folder):
    folder.mkdir(exist_ok=True)
    return Mock(folder) if kind == "mock" else Glewlwyd(folder, {"rs256": "rsa", "es256": "ecdsa"}[kind])
