// Comfort on top of pages that work without it: shortcuts, quick add in place, toasts, suggestions.
"use strict";
(() => {
  const $ = (selector, root = document) => root.querySelector(selector);
  const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

  // Keys: n new, / search, arrows for months, ? help, g and a letter for places.
  const places = { o: "/", t: "/transactions", b: "/budgets", r: "/reports", a: "/accounts", c: "/categories", s: "/settings", h: "/history" };
  let going = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, select, textarea, [contenteditable], .tabs, .seg")) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (!document.body.classList.contains("app")) return;
    if (event.timeStamp - going < 1200 && places[event.key]) {
      going = 0;
      location.href = places[event.key];
      return;
    }
    const follow = (link) => link && (event.preventDefault(), location.assign(link.href));
    switch (event.key) {
      case "g": going = event.timeStamp; break;
      case "n": {
        const amount = $("#quick-add #amount");
        event.preventDefault();
        if (amount && amount.offsetParent) amount.focus();
        else location.href = "/transactions/new";
        break;
      }
      case "/": {
        event.preventDefault();
        const search = $("#q");
        if (search) search.focus();
        else location.href = "/transactions#q";
        break;
      }
      case "ArrowLeft": follow($("[data-key=previous]")); break;
      case "ArrowRight": follow($("[data-key=next]")); break;
      case "?": event.preventDefault(); location.href = "/help"; break;
    }
  });
  if (location.hash === "#q") $("#q")?.focus();

  // Toasts: shown by the page go by themselves, those with a button stay longer and wait for the pointer.
  const fade = (toast) => {
    let timer;
    const start = () => { timer = setTimeout(() => toast.remove(), $("form", toast) ? 15000 : 6000); };
    for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, () => clearTimeout(timer));
    for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, start);
    start();
  };
  // What is said again takes the place of what was said before.
  const show = (box) => {
    $$(`[data-toast="${box.dataset.toast}"]`).forEach((old) => old.remove());
    $("#toasts").append(box);
    fade(box);
  };
  const toast = (key, text) => {
    const box = document.createElement("div");
    box.className = "toast";
    box.setAttribute("role", "status");
    box.dataset.toast = key;
    const line = document.createElement("p");
    line.textContent = text;
    box.append(line);
    show(box);
  };
  $$(".toast").forEach(fade);

  // A form is sent once: the second press waits for the first. Coming back through history frees it.
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.busy) return event.preventDefault();
    if (form.matches("[data-quick]") && window.fetch) {
      event.preventDefault();
      quick(form, event.submitter);
      return;
    }
    form.dataset.busy = "1";
    event.submitter?.setAttribute("aria-disabled", "true");
  });
  addEventListener("pageshow", () => $$("form[data-busy]").forEach(free));
  function free(form) {
    delete form.dataset.busy;
    $$("[aria-disabled]", form).forEach((button) => button.removeAttribute("aria-disabled"));
  }

  // Quick add: the form goes out, the page that answers brings the new list and a fresh form.
  async function quick(form, button) {
    form.dataset.busy = "1";
    button?.setAttribute("aria-disabled", "true");
    try {
      const answer = await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form)), headers: { Accept: "text/html" } });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = $("#quick-add", page);
      if (!fresh || (answer.ok && !$("#list", page))) {
        location.assign(answer.ok ? answer.url : location.href);
        return;
      }
      if (answer.ok) {
        const here = new URL(location.href);
        const list = await fetch(here, { headers: { Accept: "text/html" } });
        const current = list.ok ? new DOMParser().parseFromString(await list.text(), "text/html") : page;
        for (const part of ["#list", "#totals", ".cloud"]) {
          const now = $(part), then = $(part, current);
          if (now && then) now.replaceWith(document.adoptNode(then));
        }
        const notice = $("[data-notice]", page);
        $$("main > [data-notice]").forEach((old) => old.remove());
        if (notice) $("main > .head").after(document.adoptNode(notice));
        const told = $$(".toast", page);
        told.forEach((item) => show(document.adoptNode(item)));
        if (!told.length) toast("transaction-recorded", "Added");
      }
      const kind = $("[name=kind]:checked", form)?.value;
      const kept = answer.ok ? { date: form.date.value, account: form.account.value } : {};
      form.replaceWith(document.adoptNode(fresh));
      for (const name in kept) if (kept[name]) fresh[name].value = kept[name];
      const same = kind && $(`[name=kind][value=${kind}]`, fresh);
      if (same) same.checked = true;
      wire(fresh);
      ($("[aria-invalid]", fresh) || $("#amount", fresh)).focus();
    } catch {
      free(form);
      toast("offline", "Not saved: the server cannot be reached. Your entry is still in the form.");
    }
  }

  // A payee brings its last category along; an account brings its currency.
  function wire(form) {
    if (!form?.elements.payee) return;
    const { payee, category, account, currency } = form.elements;
    let chosen = Boolean(category.value);
    category.addEventListener("change", () => { chosen = true; });
    payee.addEventListener("change", () => {
      const known = $$("#payees option", form).find((option) => option.value === payee.value);
      if (!known || chosen || !known.dataset.category) return;
      category.value = known.dataset.category;
      const group = $$("optgroup", category).indexOf(category.selectedOptions[0]?.parentElement);
      if (group >= 0) $(`[name=kind][value=${group ? "income" : "expense"}]`, form).checked = true;
      sort();
    });
    const of = (select) => select?.selectedOptions[0]?.dataset.currency;
    const sort = () => {
      const kind = $("[name=kind]:checked", form)?.value;
      $$("optgroup", category).forEach((group, index) => { group.hidden = group.disabled = kind !== (index ? "income" : "expense"); });
      if (category.selectedOptions[0]?.parentElement.disabled) category.value = "";
      const second = $("[data-second]", form);
      if (!second) return;
      const differs = of(account) !== currency.value || (kind === "transfer" && of(form.elements.to_account) !== currency.value);
      second.hidden = !differs && !form.elements.to_amount.value;
      if (differs) second.open = true;
    };
    account.addEventListener("change", () => {
      if (of(account) && [...currency.options].some((option) => option.value === of(account))) currency.value = of(account);
    });
    form.addEventListener("change", sort);
    sort();
  }
  $$("form").forEach(wire);

  // An empty time zone is filled with the browser's.
  const zone = $("[data-zone]");
  if (zone && !zone.value) zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";

  // Live state of the cloud: the server pushes, the chip and the markers follow.
  if (window.EventSource && document.body.dataset.tier === "premium") {
    const source = new EventSource("/events");
    const read = (event) => { try { return JSON.parse(event.data); } catch { return {}; } };
    source.addEventListener("status", (event) => {
      const news = read(event);
      if (news.sync) document.body.dataset.sync = news.sync;
      if (news.pending !== undefined) document.body.dataset.pending = news.pending;
      if (news.look) {
        const chip = $(".cloud"), use = $(".cloud use");
        chip.dataset.look = news.look;
        use.setAttribute("href", use.getAttribute("href").replace(/#.*/, `#cloud-${news.look}`));
      }
      if (news.label) $$("[data-cloud-label], #cloud-title").forEach((item) => { item.textContent = news.label; });
      if (news.text) $("[data-cloud-text]").textContent = news.text;
      if (news.state && news.state !== document.body.dataset.state) location.reload();
    });
    // Rows from another device: the page is brought up to date, unless somebody is typing in it.
    let dirty = false, soon;
    $("main").addEventListener("input", () => { dirty = true; });
    const update = async () => {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
      if (!answer?.ok || answer.redirected) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const parts = dirty || $("main").contains(document.activeElement) ? ["#list", "#totals"] : ["main"];
      for (const part of parts) {
        const now = $(part), then = $(part, page);
        if (now && then) now.replaceChildren(...document.adoptNode(then).childNodes);
      }
      if (parts[0] === "main") $$("main form").forEach(wire);
    };
    source.addEventListener("rows", () => { clearTimeout(soon); soon = setTimeout(update, 60); });
    source.addEventListener("toast", (event) => { const news = read(event); toast(news.key, news.text); });
    addEventListener("pagehide", () => source.close());
  }
})();
