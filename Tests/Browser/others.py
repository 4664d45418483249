"""Servers of others that the tests start beside ours."""
import ssl
import urllib.error
import urllib.request

import pytest

from people import ROOT, wait_until


def unpacked(package, path):
    """A program of this machine's distribution that `.ci/prepare test` unpacks and does not install."""
    program = ROOT / ".build" / package / path
    if not program.exists():
        pytest.skip(f"{package} is not there: run .ci/prepare test on Debian or Ubuntu")
    return program


def wait_until_it_answers(process, url):
    """Any status is an answer, and any certificate is accepted."""
    def answers():
        assert process.poll() is None, f"it ended with {process.returncode}"
        try:
            with urllib.request.urlopen(url, timeout=2, context=ssl._create_unverified_context()):
                return True
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
    wait_until(answers, f"{url} does not answer")
