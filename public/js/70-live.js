// Events from the server: the sync indicator, progress, rows that changed elsewhere. Guests have nothing to sync.

if (!$("body[data-tier=guest]")) {
  let stream;
  const write = (selector, text) => $$(selector).forEach((element) => (element.textContent = text));
  const onEvent = (name, handle) => on(stream, name, ({ data }) => handle(JSON.parse(data)));

  // A page that is not visible closes its stream: a browser shares six connections among all its tabs.
  const connect = () => {
    stream?.close();
    if (document.hidden) return;
    stream = new EventSource(`${site.events}?${site.state}`);
    on(stream, "open error", () => (site.stream = stream.readyState));
    onEvent("status", showStatus);
    onEvent("progress", ({ done, total, text }) => {
      const bar = $("progress");
      if (bar && total) Object.assign(bar, { max: total, value: done });
      write("[data-progress-text]", text);
    });
    onEvent("rows", updateSoon);
    onEvent("toast", ({ key, text }) => say(key, text));
  };

  const showStatus = ({ sync, pending, look, label, text, trouble, state }) => {
    Object.assign(site, { sync, pending });
    $$(".cloud").forEach(({ dataset }) => (dataset.look = look));
    // A note on the book has the sentence and the icon of the header.
    $$(".cloud use, .note:has([data-cloud-text]) use").forEach(({ href }) => {
      href.baseVal = href.baseVal.replace(/#.*/, `#cloud-${look}`);
    });
    write("[data-cloud-label], #cloud-title", label);
    write("[data-cloud-text]", text);
    write("[data-trouble]", trouble);
    // Another state has another page.
    if (state !== site.state) return reload();
    // All rows are here. The page stays: a message that is being read would go with it.
    if (sync === "idle" && $("[data-incomplete]")) {
      $("[data-incomplete]").remove();
      updateSoon();
    }
  };

  on(document, "visibilitychange reconnect", () => connect(document.hidden || update()));
  on(window, "pagehide", () => stream?.close());
  on(window, "pageshow", (event) => event.persisted && connect());
  connect();
}
