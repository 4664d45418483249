// Events from the server: the sync indicator, progress, rows that changed elsewhere. Guests have nothing to sync.

if (!$("body[data-tier=guest]")) {
  let stream;
  const onEvent = (name, handle) => on(stream, name, ({ data }) => handle(JSON.parse(data)));

  // A page that is not visible closes its stream: a browser shares six connections among all its tabs.
  const connect = () => {
    stream?.close();
    if (document.hidden) return;
    stream = new EventSource(`${site.events}?${site.state}`);
    onEvent("status", showStatus);
    onEvent("progress", ({ done, total, text }) => {
      const bar = $("progress");
      const line = $("[data-progress-text]");
      if (bar && total) Object.assign(bar, { max: total, value: done });
      if (line && text) line.textContent = text;
    });
    onEvent("rows", updateSoon);
    onEvent("toast", ({ key, text }) => say(key, text));
  };

  const showStatus = ({ sync, pending, look, label, text, state }) => {
    const indicator = $(".cloud");
    const icon = $(".cloud use");
    Object.assign(site, { sync, pending });
    if (indicator) {
      indicator.dataset.look = look;
      icon.href.baseVal = icon.href.baseVal.replace(/#.*/, `#cloud-${look}`);
      $$("[data-cloud-label], #cloud-title").forEach((element) => (element.textContent = label));
      $$("[data-cloud-text]").forEach((element) => (element.textContent = text));
    }
    // Another state has another page.
    if (state !== site.state) return reload();
    // All rows are here. The page stays: a message that is being read would go with it.
    if (sync === "idle" && $("[data-incomplete]")) {
      $("[data-incomplete]").remove();
      updateSoon();
    }
  };

  on(document, "visibilitychange", () => connect(document.hidden || update()));
  on(window, "pagehide", () => stream?.close());
  on(window, "pageshow", (event) => event.persisted && connect());
  connect();
}
