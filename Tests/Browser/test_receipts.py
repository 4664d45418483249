"""Files beside a transaction in Chromium: with and without the script, on a phone with its camera and at a desk."""
import base64
import io
import json
import struct
import zipfile
import zlib

import pytest
from playwright.sync_api import expect

from conftest import Server
from long_book import Filler
from narrow import Narrow
from people import wait_until
from steps import continue_as, onboard, record, rows, submit, unfold, visit

LATITUDE = struct.pack("<6I", 52, 1, 31, 1, 12, 1)


def png(width, height, shade=200, exif=None, words=b""):
    """A picture that a browser can show; `words` are its first shades, and legible in the file."""
    def chunk(name, content):
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    shades = words + bytes([shade]) * (width * height - len(words))
    lines = b"".join(b"\0" + shades[start:start + width] for start in range(0, len(shades), width))
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(lines, 0 if words else -1))
    return b"\x89PNG\r\n\x1a\n" + head + (chunk(b"eXIf", exif) if exif else b"") + pixels + chunk(b"IEND", b"")


def photo(page, width=640, height=480):
    """A photo with the place where it was taken."""
    data = page.evaluate("""([width, height]) => {
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      const context = canvas.getContext("2d");
      for (let line = 0; line < 40; line++) {
        context.fillStyle = `hsl(${line * 9} 70% 60%)`;
        context.fillRect(0, line * height / 40, width, height / 40);
      }
      return canvas.toDataURL("image/jpeg", 0.9).split(",")[1];
    }""", [width, height])
    plain = base64.b64decode(data)
    entries = struct.pack("<H", 1) + struct.pack("<HHII", 0x8825, 4, 1, 26) + struct.pack("<I", 0)
    place = struct.pack("<H", 1) + struct.pack("<HHII", 2, 5, 3, 44) + struct.pack("<I", 0)
    exif = b"Exif\0\0" + b"II*\0" + struct.pack("<I", 8) + entries + place + LATITUDE
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]


def file(name, content, kind="image/jpeg"):
    return {"name": name, "mimeType": kind, "buffer": content}


def open_transaction(page, server, payee="Market"):
    guest = Filler(server)
    guest.onboard()
    guest.buy(payee)
    continue_as(page, server, guest)
    visit(page, server.url + "/transactions")
    page.locator("[data-kind=transaction] a").first.click()
    page.wait_for_url("**/transactions/*")


def add(page, *files, field="#file"):
    """Chooses files; with the script they are sent at once."""
    page.locator(field).set_input_files(list(files))
    if not page.javascript:
        submit(page.locator("[data-uploads] [type=submit]"))


def lines(page):
    return page.locator("[data-attachment]")


def stored(page, place=0):
    """The bytes of a file as the server sends them."""
    address = lines(page).nth(place).locator("a.t").get_attribute("href")
    return page.request.get(page.url.split("/transactions")[0].split("/attachments")[0] + address).body()


def fits(page):
    """Nothing is wider than the window."""
    return page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_file_is_added_listed_and_deleted(page, server):
    open_transaction(page, server)
    add(page, file("Kassenbon.jpg", photo(page)))
    expect(lines(page)).to_have_count(1)
    expect(lines(page)).to_have_attribute("data-status", "local_only")
    expect(lines(page)).to_contain_text("Kassenbon.jpg")
    expect(lines(page)).to_contain_text("640 × 480")
    assert fits(page)
    # With the script the photo has a small picture, and otherwise it is one itself.
    expect(lines(page).locator("img.thumb")).to_have_count(1)
    if page.javascript:
        wait_until(lambda: page.evaluate("document.querySelector('img.thumb').naturalWidth") == 160, "it is loaded")
    visit(page, server.url + "/transactions")
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()
    visit(page, server.url + "/attachments")
    expect(lines(page)).to_contain_text("Market")
    assert fits(page)
    submit(lines(page).get_by_role("button", name="Delete Kassenbon.jpg"))
    expect(lines(page)).to_have_count(0)
    undo = page.locator(".toast form button")
    undo.click() if page.javascript else submit(undo)
    if page.javascript:
        expect(lines(page)).to_have_count(1)
    visit(page, server.url + "/attachments")
    expect(lines(page)).to_have_count(1)


def test_the_place_of_a_photo_is_removed_unless_the_user_keeps_it(page, server):
    open_transaction(page, server)
    add(page, file("a.jpg", photo(page)))
    expect(lines(page)).to_have_count(1)
    assert LATITUDE not in stored(page)
    page.locator("[name=keep_location]").check()
    add(page, file("b.jpg", photo(page)))
    expect(lines(page)).to_have_count(2)
    assert LATITUDE in stored(page, 1)


def sides(page, content, kind):
    """The width and the height with which the browser shows a picture."""
    return page.evaluate("""async (address) => {
      const picture = Object.assign(new Image(), { src: address });
      await picture.decode();
      return [picture.naturalWidth, picture.naturalHeight];
    }""", f"data:{kind};base64,{base64.b64encode(content).decode()}")


def test_a_picture_without_its_place_stays_upright(new_page, server):
    page = new_page()
    open_transaction(page, server)
    entries = struct.pack("<HHHIIHHII", 2, 0x0112, 3, 1, 6, 0x8825, 4, 1, 38) + struct.pack("<I", 0)
    place = struct.pack("<H", 1) + struct.pack("<HHII", 2, 5, 3, 56) + struct.pack("<I", 0)
    picture = png(40, 20, exif=b"II*\0" + struct.pack("<I", 8) + entries + place + LATITUDE)
    add(page, file("a.png", picture, "image/png"))
    expect(lines(page)).to_have_count(1)
    left = stored(page)
    assert LATITUDE not in left and len(left) == len(picture)
    # A page without the rules about pictures.
    page.goto("about:blank")
    assert sides(page, picture, "image/png") == [20, 40]
    assert sides(page, left, "image/png") == [20, 40]


def test_a_photo_that_may_still_have_its_place_is_named(page, server):
    open_transaction(page, server)
    # The end of the file is missing, and with it what may be there.
    add(page, file("cut.png", png(20, 10)[:-4], "image/png"))
    expect(lines(page)).to_have_count(1)
    caution = page.locator("#receipts [data-notice=place]")
    expect(caution).to_contain_text("cut.png")
    expect(page.locator("#receipts [role=alert]:not([hidden])")).to_have_count(0)
    expect(page.locator("#receipts .sending li")).to_have_count(0)
    add(page, file("good.png", png(30, 10), "image/png"))
    expect(lines(page)).to_have_count(2)
    # With the script the page is the same.
    expect(caution).to_have_count(1 if page.javascript else 0)


def test_a_refused_file_is_named_and_the_others_are_added(page, server):
    open_transaction(page, server)
    page.locator("#entry [name=note]").fill("half typed")
    page.locator("#entry [name=currency]").select_option("USD")
    add(page, file("page.jpg", b"<script>alert(1)</script>"), file("good.png", png(20, 10), "image/png"))
    expect(lines(page)).to_have_count(1)
    expect(lines(page)).to_contain_text("good.png")
    alert = page.locator("#receipts [role=alert]:not([hidden])")
    expect(alert).to_contain_text("page.jpg is no JPEG, PNG, WebP, HEIC or PDF file.")
    expect(page.locator("#entry [name=note]")).to_have_value("half typed")
    expect(page.locator("#entry [name=currency]")).to_have_value("USD")


@pytest.mark.without_script
def test_what_was_typed_stays_when_files_are_added_and_deleted(page, server):
    open_transaction(page, server)
    note, payee = page.locator("#entry [name=note]"), page.locator("#entry [name=payee]")
    note.fill("half\ntyped")
    payee.fill("Baker")
    page.locator("#entry [name=amount]").fill("")
    add(page, file("a.png", png(20, 10), "image/png"), file("b.pdf", b"%PDF-1.7\n", "application/pdf"))
    expect(lines(page)).to_have_count(2)
    submit(lines(page).get_by_role("button", name="Delete a.png"))
    expect(lines(page)).to_have_count(1)
    expect(note).to_have_value("half\ntyped")
    expect(payee).to_have_value("Baker")
    # The page stays at its files, and a remark there is no error.
    remark = page.locator("#receipts [data-notice=unsaved]")
    expect(remark).to_contain_text("not saved yet")
    expect(remark).to_be_in_viewport()
    expect(page.locator("[role=alert]:visible")).to_have_count(0)
    add(page, file("c.png", png(30, 10), "image/png"))
    expect(lines(page)).to_have_count(2)
    expect(remark).to_contain_text("not saved yet")
    assert fits(page)
    page.locator("#entry [name=amount]").fill("7")
    submit(page.locator("#entry .acts .primary"))
    expect(rows(page).first).to_contain_text("Baker")
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()


def test_undoing_the_deletion_of_a_file_loses_nothing_that_was_typed(page, server):
    open_transaction(page, server)
    add(page, file("a.png", png(20, 10), "image/png"))
    expect(lines(page)).to_have_count(1)
    place = page.url.split("/attachments")[0]
    submit(lines(page).get_by_role("button", name="Delete a.png"))
    note = page.locator("#entry [name=note]")
    note.fill("half typed")
    toast = page.locator("[data-toast=receipt-deleted]")
    undo = toast.get_by_role("button", name="Undo")
    undo.click() if page.javascript else submit(undo)
    expect(page.locator("[data-toast=change-undone]")).to_be_visible()
    expect(note).to_have_value("half typed")
    expect(lines(page)).to_have_count(1)
    visit(page, place)
    expect(lines(page)).to_have_count(1)


def test_the_camera_field_works_after_news_from_another_tab(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    address = page.url
    other = page.context.new_page()
    record(other, server, payee="Elsewhere")
    # The other tab tells of its change; the whole page is replaced, as nothing is being typed.
    page.evaluate("document.querySelector('main').isOld = true")
    visit(other, server.url + "/transactions/new")
    record(other, server, payee="Elsewhere")
    wait_until(lambda: page.evaluate("document.querySelector('main').isOld !== true"), "the page is replaced")
    assert page.url == address
    add(page, file("a.png", png(20, 10), "image/png"))
    expect(lines(page)).to_have_count(1)


def test_the_camera_of_a_phone(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    camera = page.locator("#camera")
    expect(camera).to_be_visible()
    assert camera.get_attribute("capture") == "environment"
    add(page, file("image.jpg", photo(page, 4_000, 3_000)), field="#camera")
    expect(lines(page)).to_contain_text("2560 × 1920")
    page.locator("[data-scale]").uncheck()
    add(page, file("large.jpg", photo(page, 3_000, 2_000)), field="#camera")
    expect(lines(page)).to_have_count(2)
    expect(lines(page).nth(1)).to_contain_text("3000 × 2000")
    # The choice stays.
    page.reload()
    expect(page.locator("[data-scale]")).not_to_be_checked()


@pytest.mark.parametrize("event", ["drop", "paste"])
def test_files_are_dropped_and_pasted(new_page, server, event):
    page = new_page(size="desktop")
    page.javascript = True
    open_transaction(page, server)
    page.evaluate("""([event, data]) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      for (const name of ["one.png", "two.png"].slice(0, event === "drop" ? 2 : 1)) {
        bytes[bytes.length - 1] ^= name.charCodeAt(0);
        transfer.items.add(new File([bytes], name, { type: "image/png" }));
      }
      const made = event === "drop"
        ? new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true })
        : new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(made);
    }""", [event, base64.b64encode(png(30, 30)).decode()])
    expect(lines(page)).to_have_count(2 if event == "drop" else 1)


def test_a_text_that_is_pasted_with_its_picture_is_a_text(new_page, server):
    page = new_page(size="desktop")
    page.javascript = True
    open_transaction(page, server)
    is_taken = page.evaluate("""(data) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([bytes], "cells.png", { type: "image/png" }));
      transfer.setData("text/plain", "a cell");
      const made = new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true });
      document.querySelector("#entry [name=note]").dispatchEvent(made);
      return made.defaultPrevented;
    }""", base64.b64encode(png(30, 30)).decode())
    assert not is_taken, "the browser inserts the text"
    expect(page.locator(".sending li")).to_have_count(0)
    expect(lines(page)).to_have_count(0)


def test_the_location_stays_in_all_files_of_a_choice(new_page, server):
    page = new_page(size="desktop")
    page.javascript = True
    open_transaction(page, server)
    keeps = page.locator("#receipts [name=keep_location]")
    keeps.check()
    add(page, file("a.png", png(20, 10), "image/png"), file("b.png", png(21, 10), "image/png"))
    expect(lines(page)).to_have_count(2)
    expect(keeps).to_be_checked()


def test_an_upload_is_cancelled(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    held = []
    page.route("**/attachments", lambda route: held.append(route))
    add(page, file("a.png", png(40, 40), "image/png"))
    line = page.locator(".sending li")
    expect(line).to_contain_text("a.png")
    expect(line.locator("progress")).to_be_visible()
    line.get_by_role("button", name="Cancel").click()
    expect(line).to_have_count(0)
    expect(lines(page)).to_have_count(0)
    for route in held:
        route.abort()
    page.unroute("**/attachments")
    add(page, file("b.png", png(41, 41), "image/png"))
    expect(lines(page)).to_have_count(1)


@pytest.fixture
def narrow(server):
    """The way to the server, through something that can come to a standstill."""
    way = Narrow(server.port)
    server.url = way.url
    yield way
    way.stop()


def stored_files(server):
    """All files of receipts in the data folder, complete or not."""
    return [path for path in server.folder.glob("devices/**/*") if path.is_file()
            and (".files/" in str(path) or path.name.startswith("incoming"))]


def test_an_upload_that_comes_to_a_standstill(new_page, server, narrow):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    page.locator("[data-scale]").uncheck()
    page.locator("#entry [name=note]").fill("half typed")
    # Bytes behind the end of the picture make the file large.
    large = photo(page, 1_200, 900) + bytes(9_000_000)
    narrow.halt(after=400_000)
    add(page, file("image.jpg", large), field="#camera")
    assert narrow.is_halted.wait(60)
    line = page.locator(".sending li")
    bar = line.locator("progress")
    wait_until(lambda: 0 < float(bar.evaluate("bar => bar.value")) < 1, "the page shows how much was sent")
    assert fits(page)
    # A page that is left during an upload asks first.
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.locator("nav a[href='/accounts']:visible, nav a[href='/']:visible").first.click(no_wait_after=True)
    wait_until(lambda: asked == ["beforeunload"], "it asks")
    expect(line).to_contain_text("image.jpg")

    line.get_by_role("button", name="Cancel").click()
    expect(line).to_have_count(0)
    narrow.let_go()
    wait_until(lambda: not stored_files(server), lambda: f"nothing of it is stored: {stored_files(server)}")
    expect(lines(page)).to_have_count(0)

    # The connection breaks during the next attempt: the file is still in the page, and can be sent again.
    narrow.halt(after=400_000)
    add(page, file("image.jpg", large), field="#camera")
    assert narrow.is_halted.wait(60)
    server.stop()
    narrow.let_go()
    expect(line.get_by_role("alert")).to_contain_text("image.jpg was not sent")
    server.start()
    narrow.target = server.port
    server.url = narrow.url
    page.locator(".sending").get_by_role("button", name="Try again").click()
    expect(lines(page)).to_have_count(1)
    expect(page.locator(".sending li")).to_have_count(0)
    expect(page.locator("#entry [name=note]")).to_have_value("half typed")
    # All of it came, and what followed the picture was removed with its place.
    assert len(stored(page)) == len(large) - 9_000_000
    wait_until(lambda: len([path for path in stored_files(server) if path.suffix != ".thumbnail"]) == 1,
               lambda: f"one file: {stored_files(server)}")


@pytest.fixture
def small(tmp_path):
    """A server on which the files of a device may take 300 KB."""
    running = Server(tmp_path / "data", "--attachment-quota", "300K")
    yield running
    running.stop()


def test_deleted_receipts_make_room_once_they_are_removed_for_good(page, small):
    open_transaction(page, small)
    add(page, file("first.pdf", b"%PDF-1.7\n" + bytes(200_000), "application/pdf"))
    expect(lines(page)).to_have_count(1)
    submit(lines(page).get_by_role("button", name="Delete first.pdf"))
    expect(lines(page)).to_have_count(0)
    second = file("second.pdf", b"%PDF-1.7\n" + bytes(250_000), "application/pdf")
    add(page, second)
    alert = page.locator("#receipts [role=alert]:not([hidden])")
    expect(alert).to_contain_text("1 deleted file that you can still bring back takes 195 KB of 300 KB")
    page.faults = [fault for fault in page.faults if "status of 507" not in fault]
    assert fits(page)
    place = page.url.replace("/attachments", "")
    submit(alert.get_by_role("link", name="Remove deleted receipts from this device"))
    expect(page.locator("main")).to_contain_text("cannot be brought back")
    assert fits(page)
    submit(page.get_by_role("button", name="Remove 1 file from this device"))
    expect(page.locator("[data-toast=receipts-removed]")).to_contain_text("1 file removed, which makes 195 KB of room")
    visit(page, place)
    add(page, second)
    expect(lines(page)).to_contain_text("second.pdf")


def test_a_file_waits_for_the_server_to_be_back(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    page.route("**/attachments", lambda route: route.abort())
    add(page, file("a.png", png(40, 40), "image/png"))
    expect(page.locator(".sending [role=alert]")).to_contain_text("a.png was not sent")
    page.unroute("**/attachments")
    page.locator(".sending").get_by_role("button", name="Try again").click()
    expect(lines(page)).to_have_count(1)
    expect(page.locator("#receipts [role=alert]:not([hidden])")).to_have_count(0)


def test_a_file_that_arrived_without_an_answer_is_not_called_lost(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)

    def lose_the_answer(route):
        route.fetch()
        route.abort()

    page.route("**/attachments", lose_the_answer)
    add(page, file("a.png", png(40, 40), "image/png"))
    line = page.locator(".sending li")
    expect(line.get_by_role("alert")).to_contain_text("a.png")
    page.unroute("**/attachments")
    line.get_by_role("button", name="Try again").click()
    expect(line).to_have_count(0)
    expect(lines(page)).to_have_count(1)
    page.reload()
    expect(lines(page)).to_have_count(1)


def test_the_reason_why_a_file_is_not_added_is_the_true_one(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    cookies = page.context.cookies()
    page.context.clear_cookies()
    add(page, file("a.png", png(40, 40), "image/png"))
    line = page.locator(".sending li")
    expect(line.get_by_role("alert")).to_contain_text("a.png was not added: the browser did not send the cookie")
    page.context.add_cookies(cookies)
    line.get_by_role("button", name="Try again").click()
    expect(lines(page)).to_have_count(1)
    # Another device deletes the transaction; this page does not know of it.
    csrf = page.locator("[data-uploads]").get_attribute("data-csrf")
    page.request.post(page.url.split("#")[0] + "/delete", form={"csrf": csrf})
    add(page, file("b.png", png(41, 41), "image/png"))
    expect(line.get_by_role("alert")).to_contain_text("b.png was not added: this transaction was deleted meanwhile.")
    assert fits(page)


def test_files_for_a_transaction_that_was_deleted_meanwhile_come_along(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    page.locator("#entry [name=note]").fill("half typed")
    csrf = page.locator("[data-uploads]").get_attribute("data-csrf")
    page.request.post(page.url.split("#")[0] + "/delete", form={"csrf": csrf})
    add(page, file("a.png", png(40, 40), "image/png"), file("b.pdf", b"%PDF-1.7", "application/pdf"))
    waiting = page.locator(".sending li")
    expect(waiting.get_by_role("button", name="Continue")).to_have_count(2)
    expect(waiting.get_by_role("alert").last).to_contain_text("Continue with a new one")
    waiting.get_by_role("button", name="Continue").first.click()
    expect(lines(page)).to_have_count(2)
    expect(waiting).to_have_count(0)
    expect(page.locator("#entry [name=note]")).to_have_value("half typed")
    assert fits(page)
    submit(page.locator("#entry .acts [type=submit].primary"))
    visit(page, server.url + "/attachments")
    expect(lines(page)).to_have_count(2)
    expect(lines(page).filter(has_text="a.png")).to_contain_text("Market")
    assert stored(page, 1) in (png(40, 40), b"%PDF-1.7")


def test_an_answer_that_leads_to_another_transaction_loses_no_file(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    record(page, server, payee="Baker")
    visit(page, server.url + "/transactions")
    places = [link.get_attribute("href") for link in page.locator("[data-kind=transaction] a").all()]
    visit(page, server.url + places[0])
    other = page.request.get(server.url + places[1]).text()
    page.route("**/attachments", lambda route: route.fulfill(status=200, content_type="text/html", body=other))
    add(page, file("a.png", png(40, 40), "image/png"))
    expect(page.locator(".sending li").get_by_role("button", name="Continue")).to_be_visible()
    page.unroute("**/attachments")
    # It was restored in the meantime.
    page.locator(".sending li").get_by_role("button", name="Continue").click()
    expect(lines(page)).to_have_count(1)
    assert stored(page) == png(40, 40)


def test_a_deleted_transaction_is_restored_with_its_files(page, server):
    open_transaction(page, server)
    add(page, file("bill.pdf", b"%PDF-1.7", "application/pdf"))
    expect(lines(page)).to_have_count(1)
    place = page.url.split("#")[0]
    submit(page.get_by_role("button", name="Delete transaction"))
    visit(page, place)
    expect(page.locator("h1")).to_contain_text("This transaction was deleted")
    expect(page.locator("main")).to_contain_text("It was deleted on this device.")
    assert fits(page)
    submit(page.get_by_role("button", name="Restore it"))
    visit(page, place)
    expect(lines(page)).to_contain_text("bill.pdf")
    assert stored(page) == b"%PDF-1.7"


def test_a_sentence_names_some_of_very_many_files(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    add(page, *[file(f"{number}.pdf", b"%PDF-1.7" + bytes([number]), "application/pdf") for number in range(40)])
    alert = page.locator("#receipts > .note.bad:not([hidden])")
    expect(alert).to_contain_text("18.pdf, 19.pdf and 20 more.")
    expect(lines(page)).to_have_count(10)


def test_a_second_tab_shows_a_file_that_the_first_one_has_sent(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    other = page.context.new_page()
    visit(other, page.url)
    other.locator("#entry [name=note]").fill("half typed")
    add(page, file("page.jpg", b"<script>alert(1)</script>"), file("a.png", png(40, 40), "image/png"))
    expect(lines(page)).to_have_count(1)
    expect(lines(other)).to_have_count(1)
    expect(other.locator("#entry [name=note]")).to_have_value("half typed")
    # What the first tab has to say stays.
    expect(page.locator("#receipts > .note.bad:not([hidden])")).to_contain_text("page.jpg is no JPEG")


def another_place(page):
    return page.locator("nav a[href='/accounts']:visible, nav a[href='/']:visible").first


def asks_before_leaving(page):
    """Whether the browser asks before the page is left. The page stays."""
    asked = []
    page.once("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    another_place(page).click(no_wait_after=True)
    wait_until(lambda: page.locator("h1").count() and asked, "it asks")
    return asked == ["beforeunload"]


def leaves(page):
    """Leaves the page. A question would make the browser stay."""
    address = page.url
    another_place(page).click()
    page.wait_for_url(lambda url: url != address)


@pytest.mark.parametrize("status, text", [
    (500, "a.png was not added, because of a fault of the server."), 
    (502, "a.png may have been added or not: the server did not answer."),
    (503, "a.png was not added: the server does not take it at present."), (429, "does not take it at present."),
])
def test_a_file_that_was_not_taken_for_a_passing_reason_is_not_lost(new_page, server, status, text):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    page.locator("#entry [name=note]").fill("half typed")
    sent = []

    def refuse(route):
        sent.append(route.request.post_data_buffer)
        route.fulfill(status=status, content_type="text/plain", body="not now")

    page.route("**/attachments", refuse)
    add(page, file("a.png", png(40, 40), "image/png"))
    line = page.locator(".sending li")
    expect(line.get_by_role("alert")).to_contain_text(text)
    expect(line.locator("progress")).to_be_hidden()
    expect(line.get_by_role("button", name="Remove")).to_be_visible()
    assert fits(page)
    assert asks_before_leaving(page)
    page.unroute("**/attachments")
    line.get_by_role("button", name="Try again").click()
    expect(lines(page)).to_have_count(1)
    expect(line).to_have_count(0)
    assert png(40, 40) in sent[0] and stored(page) == png(40, 40)
    expect(page.locator("#entry [name=note]")).to_have_value("half typed")
    leaves(page)


def test_leaving_asks_nothing_about_files_that_were_refused_for_good(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    errors = page.locator("#receipts [role=alert]:not([hidden])")
    page.route("**/attachments", lambda route: route.fulfill(status=413, content_type="text/plain", body="too much"))
    add(page, file("a.png", png(40, 40), "image/png"))
    expect(errors).to_contain_text("a.png was not added: the server does not accept it.")
    page.unroute("**/attachments")
    add(page, file("page.jpg", b"<script>alert(1)</script>"))
    expect(errors).to_contain_text("page.jpg is no JPEG, PNG, WebP, HEIC or PDF file.")
    expect(page.locator(".sending li")).to_have_count(0)
    leaves(page)


def test_an_upload_without_an_answer_can_be_sent_again(new_page, server):
    page = new_page()
    page.javascript = True
    page.clock.install()
    open_transaction(page, server)
    held = []
    page.route("**/attachments", lambda route: route.continue_() if held else held.append(route))
    add(page, file("a.png", png(40, 40), "image/png"))
    line = page.locator(".sending li")
    wait_until(lambda: page.locator("h1").count() and held, "it is sent")
    expect(line.get_by_role("button", name="Try again")).to_have_count(0)
    page.clock.fast_forward(31_000)
    expect(line.get_by_role("alert")).to_contain_text("No answer for a while.")
    expect(line.locator("progress")).to_be_visible()
    line.get_by_role("button", name="Try again").click()
    expect(lines(page)).to_have_count(1)
    expect(line).to_have_count(0)


def test_saving_waits_for_the_files_that_are_on_their_way(new_page, server):
    page = new_page()
    page.javascript = True
    open_transaction(page, server)
    address = page.url
    page.locator("#entry [name=payee]").fill("Baker")
    held = []
    page.route("**/attachments", lambda route: held.append(route))
    add(page, file("a.png", png(40, 40), "image/png"))
    wait_until(lambda: page.locator("h1").count() and held, "it is sent")
    page.locator("#entry .acts .primary").click()
    saying = page.locator("#receipts [role=status]", has_text="saved as soon as the files are added")
    expect(saying).to_be_visible()
    assert fits(page) and page.url == address
    held.pop().continue_()
    expect(rows(page).first).to_contain_text("Baker")
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()

    # A file that cannot be added in the meantime is not lost: its user decides first.
    visit(page, address)
    page.locator("#entry [name=payee]").fill("Butcher")
    add(page, file("b.png", png(41, 41), "image/png"))
    wait_until(lambda: page.locator("h1").count() and held, "it is sent")
    page.locator("#entry .acts .primary").click()
    expect(saying).to_be_visible()
    held.pop().abort()
    errors = page.locator("#receipts > .note.bad:not([hidden])")
    expect(errors).to_contain_text("Not done yet")
    expect(saying).to_be_hidden()
    page.locator("#entry .acts .primary").click()
    expect(errors).to_contain_text("Not done yet")
    assert page.url == address
    page.locator(".sending").get_by_role("button", name="Remove").click()
    expect(errors).to_be_hidden()
    submit(page.locator("#entry .acts .primary"))
    expect(rows(page).first).to_contain_text("Butcher")


def test_too_many_and_too_large_files_are_not_sent(page, server):
    open_transaction(page, server)
    add(page, file("large.pdf", b"%PDF-1.7" + bytes(10 << 20), "application/pdf"))
    alert = page.locator("#receipts [role=alert]:not([hidden])")
    expect(alert).to_contain_text("large.pdf is larger than 10 MB.")
    expect(lines(page)).to_have_count(0)
    add(page, *[file(f"{number}.png", png(10, 10, number), "image/png") for number in range(12)])
    expect(alert).to_contain_text("10 files at most")
    expect(alert).to_contain_text("Not added: 10.png, 11.png.")
    expect(lines(page)).to_have_count(10)


def test_the_archive_holds_the_files(page, server):
    open_transaction(page, server)
    picture, bill = png(30, 20), b"%PDF-1.7\n" + bytes(300_000)
    add(page, file("a:b.png", picture, "image/png"))
    expect(lines(page)).to_have_count(1)
    add(page, file("bill.pdf", bill, "application/pdf"))
    expect(lines(page)).to_have_count(2)
    visit(page, server.url + "/settings")
    link = page.get_by_role("link", name="The whole book with its files")
    answer = page.request.get(server.url + link.get_attribute("href"))
    assert answer.headers["content-type"] == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.body())) as archive:
        assert archive.testzip() is None
        names = {name.split("-", 1)[-1]: name for name in archive.namelist()}
        assert set(names) == {"breadly.json", "a_b.png", "bill.pdf"}
        assert archive.read(names["a_b.png"]) == picture and archive.read(names["bill.pdf"]) == bill
        book = json.loads(archive.read("breadly.json"))
        assert all(f"attachments/{row['id']}-" in "".join(names.values()) for row in book["attachments"])


def open_new_transaction(page, server):
    onboard(page, server)
    visit(page, server.url + "/transactions/new")


def save(page):
    submit(page.locator("#entry .acts .primary"))


def test_files_are_added_while_a_transaction_is_being_entered(page, server):
    open_new_transaction(page, server)
    page.locator("#payee").fill("Market")
    unfold(page.locator("#entry"))
    page.locator("#note").fill("half typed")
    add(page, file("till.jpg", photo(page)), file("terms.pdf", b"%PDF-1.7\n", "application/pdf"))
    expect(lines(page)).to_have_count(2)
    expect(lines(page).first).to_contain_text("Added as soon as you save")
    expect(page.locator("label[for=file] [data-files]")).to_have_text("· 2")
    expect(page.locator("#payee")).to_have_value("Market")
    expect(page.locator("#note")).to_have_value("half typed")
    assert fits(page)
    # The file can be looked at, and one that was chosen by mistake be removed.
    assert stored(page, 1) == b"%PDF-1.7\n"
    submit(lines(page).get_by_role("button", name="Delete terms.pdf"))
    expect(lines(page)).to_have_count(1)
    expect(page.locator("#note")).to_have_value("half typed")
    # A form that is refused loses neither.
    page.locator("#amount").fill("12,,5")
    save(page)
    expect(page.locator("[role=alert][data-field=amount]")).to_be_visible()
    expect(lines(page)).to_have_count(1)
    page.locator("#amount").fill("12")
    save(page)
    page.wait_for_url("**/transactions?month=*")
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()
    rows(page).first.locator("a").first.click()
    page.wait_for_url("**/transactions/*")
    expect(lines(page)).to_contain_text("till.jpg")
    expect(lines(page)).to_contain_text("On this device only")
    expect(page.locator("#entry [name=note]")).to_have_value("half typed")


def test_the_files_are_named_above_the_button_that_saves(page, server):
    open_transaction(page, server)
    link = page.locator("#entry a.btn[href='#receipts']")
    expect(link).to_have_text("Receipts and documents")
    add(page, file("a.pdf", b"%PDF-1.7\n", "application/pdf"), file("b.pdf", b"%PDF-1.7 b\n", "application/pdf"))
    expect(lines(page)).to_have_count(2)
    expect(link).to_have_text("Receipts and documents · 2")
    # The button stays in sight, above all that is further down.
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    assert link.bounding_box()["y"] < page.get_by_role("button", name="Save", exact=True).bounding_box()["y"]
    link.click()
    expect(lines(page).first).to_be_in_viewport()
    # The Enter key saves, as before, and deletes no file.
    page.locator("#payee").fill("Bakery")
    page.locator("#payee").press("Enter")
    page.wait_for_url(lambda url: url.split("#")[0].split("?")[0].endswith("/transactions"))
    page.locator("[data-kind=transaction] a").first.click()
    page.wait_for_url("**/transactions/*")
    expect(lines(page)).to_have_count(2)
    expect(page.locator("#payee")).to_have_value("Bakery")


def test_saving_a_new_transaction_waits_for_its_files(new_page, server):
    page = new_page(size="phone")
    page.javascript = True
    open_new_transaction(page, server)
    held = []
    page.route("**/attachments", lambda route: held.append(route))
    page.locator("#amount").fill("12")
    add(page, file("till.png", png(40, 40), "image/png"), field="#camera")
    expect(page.locator(".sending li")).to_contain_text("till.png")
    page.locator("#entry .acts .primary").click()
    expect(page.get_by_text("Your entry is saved as soon as the files are added.")).to_be_visible()
    wait_until(lambda: held, "the file is on its way")
    held[0].continue_()
    page.wait_for_url("**/transactions?month=*")
    expect(rows(page)).to_have_count(1)
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()


def test_a_new_transaction_with_a_file_shows_it_again_after_a_reload_and_news(new_page, server):
    page = new_page(size="desktop")
    page.javascript = True
    open_new_transaction(page, server)
    add(page, file("till.png", png(40, 40), "image/png"))
    expect(lines(page)).to_have_count(1)
    page.reload()
    expect(lines(page)).to_contain_text("till.png")
    # Another tab changes the book: the page of a form that is being worked on is not replaced.
    page.locator("h1").click()
    other = page.context.new_page()
    other.javascript = True
    record(other, server, payee="Elsewhere")
    other.close()
    expect(lines(page)).to_contain_text("till.png")
    page.locator("#amount").fill("5")
    page.locator("[name=again]").click()
    page.wait_for_url("**/transactions/new?kind=*")
    expect(lines(page)).to_have_count(0)
    expect(page.get_by_text("was not saved")).to_have_count(0)


def test_an_entry_with_a_file_that_was_not_saved_is_offered(page, server):
    open_new_transaction(page, server)
    add(page, file("till.png", png(40, 40), "image/png"))
    expect(lines(page)).to_have_count(1)
    visit(page, server.url + "/transactions")
    visit(page, server.url + "/transactions/new")
    expect(lines(page)).to_have_count(0)
    expect(page.get_by_text("added to an entry that was not saved.")).to_be_visible()
    page.get_by_role("link", name="Continue with it").click()
    expect(lines(page)).to_contain_text("till.png")
    # Another one, which is not needed after all.
    visit(page, server.url + "/transactions/new")
    add(page, file("wrong.png", png(41, 41), "image/png"))
    expect(lines(page)).to_have_count(1)
    visit(page, server.url + "/attachments")
    assert fits(page)
    note = page.locator("[data-unsaved]")
    expect(note).to_have_count(2)
    submit(note.filter(has_text="wrong.png").get_by_role("button", name="Discard"))
    expect(note).to_have_count(1)
    expect(note).to_contain_text("till.png")
    note.get_by_role("link", name="Continue with it").click()
    expect(lines(page)).to_contain_text("till.png")
    page.locator("#amount").fill("5")
    save(page)
    expect(rows(page).first.locator("[aria-label='Has receipts']")).to_be_visible()
