"""Signing in at an identity provider, against real ones."""
import pytest

from conftest import Server
from providers import make
from steps import body, onboard, record, visit


@pytest.fixture(params=["mock", "rs256", "es256"])
def provider(request, tmp_path):
    running = make(request.param, tmp_path / "provider")
    yield running
    running.stop()


@pytest.fixture
def house(provider, tmp_path):
    running = Server(
        tmp_path / "data", "--identity", "both", "--oidc-issuer", provider.issuer, "--oidc-client-id", "breadly",
        "--oidc-client-secret", "s3cret", "--oidc-name", provider.name)
    provider.register(running)
    yield running
    running.stop()


def sign_in(page, house, provider):
    provider.prepare(page)
    visit(page, house.url + "/sign-in")
    page.get_by_role("link", name=f"Continue with {provider.name}").click()
    provider.sign_in(page)
    page.wait_for_url(house.url + "/**")


def test_a_new_account_continues_the_onboarding_and_a_known_one_skips_it(house, provider, new_page):
    page = new_page()
    sign_in(page, house, provider)
    assert page.url.endswith("/onboarding/currency")
    assert (body(page, "data-state"), body(page, "data-tier")) == ("onboarding", "free")
    other = new_page(javascript=provider.name == "Glewlwyd")
    sign_in(other, house, provider)
    assert other.url == house.url + "/"
    assert (body(other, "data-state"), body(other, "data-tier")) == ("local_only", "free")
    visit(other, house.url + "/settings")
    assert "@x.test" in other.locator("main").inner_text()
    visit(other, house.url + "/settings/devices")
    assert other.locator("[data-kind=device]").count() == 2


def test_a_guest_takes_the_book_along(house, provider, new_page):
    page = new_page()
    onboard(page, house)
    record(page, house, payee="Bakery")
    sign_in(page, house, provider)
    visit(page, house.url + "/transactions")
    assert page.locator("[data-kind=transaction]").count() == 1
    assert body(page, "data-tier") == "free"


@pytest.mark.parametrize("provider", ["mock"], indirect=True)
def test_who_is_denied_is_told_and_loses_nothing(house, provider, new_page):
    page = new_page()
    onboard(page, house)
    visit(page, house.url + "/sign-in")
    page.get_by_role("link", name="Continue with Mock").click()
    page.get_by_role("button", name="Deny").click()
    page.wait_for_url(house.url + "/**")
    assert "cancelled at Mock" in page.locator("[role=alert]").inner_text()
    assert body(page, "data-tier") == "guest"
