"""A page that listens while its browser's user comes and goes: nothing dies of it, and the page hears how it ends."""
import pytest

from people import PASSWORD, Person, Program, Stream, wait_until

ANNA = {"email": "anna@x.test", "password": PASSWORD}


@pytest.fixture
def server(tmp_path):
    running = Program("serve", tmp_path / "data")
    yield running
    running.kill()


def sign_up(person):
    return person.post("/sign-in", "/sign-up", **ANNA)


def sign_in(person):
    return person.post("/sign-in", "/sign-in", **ANNA)


def sign_out(person):
    return person.confirm("/sign-out")


def delete_the_account(person):
    return person.confirm("/account/delete")


@pytest.mark.parametrize("opened, earlier, action, state, page", [
    ("by a guest", [], sign_up, "local_only", "/transactions"),
    ("by a guest", [], sign_in, "local_only", "/transactions"),
    ("by a guest", [sign_up], sign_out, "onboarding", "/onboarding/welcome"),
    ("by a guest", [sign_up], delete_the_account, "onboarding", "/onboarding/welcome"),
    ("by a user", [sign_up], sign_out, "onboarding", "/onboarding/welcome"),
    ("by a user", [sign_up], delete_the_account, "onboarding", "/onboarding/welcome"),
])
def test_a_page_that_listens_hears_how_it_ends(server, opened, earlier, action, state, page):
    person = Person(server)
    if action is sign_in:
        other = Person(server)
        other.onboard()
        assert sign_up(other) == 303
    person.onboard()
    stream = Stream(person) if opened == "by a guest" else None
    for step in earlier:
        assert step(person) == 303
    stream = stream or Stream(person)
    try:
        assert stream.status == 200
        wait_until(stream.states, "the first word of a stream")
        heard = len(stream.events)
        assert action(person) == 303, server.tail()

        def is_told():
            assert server.is_alive, server.tail()
            # The last word counts: on the way there are other states.
            return stream.states(since=heard)[-1:] == [state]

        wait_until(is_told, lambda: f"{stream.events[heard:]}\n{server.tail()}", patience=120)
        assert person.ask("GET", page).status == 200
        assert person.status()["state"] == state
    finally:
        stream.close()
