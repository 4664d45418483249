// The page of the lab without reloads: buttons act in place, devices are changed without losing what they show, and
// the page follows the world.

const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
const stateOf = document.body.dataset.labState;
const frame = $(".lab-frame");

// The server learns that the pages of devices report what is opened on them.
document.cookie = `breadly_lab_script=1; path=${$(".brand").pathname}; SameSite=Lax`;

// Another page is on its way to the place of this one: the answer to a form, or the page of another world.
let isLeaving = false;

const replaced = "breadly-lab-replaced";

/** The page of another world, with frames that begin anew and nothing of the old address but its device. */
const begin = (isReplaced) => {
  if (isLeaving) return;
  isLeaving = true;
  // The next page says so.
  if (isReplaced) sessionStorage.setItem(replaced, "");
  location.replace(location.pathname + location.search);
};

const press = (place, value) =>
  $$(`${place} button`).forEach((button) => {
    if (button.value === value) button.setAttribute("aria-pressed", "true");
    else button.removeAttribute("aria-pressed");
  });

const pageOf = async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html");

/** The steps to do now, what they mean, and what each process is to die of, from a page of the lab. */
const renew = async (answer) => {
  const page = await pageOf(answer);
  for (const parts of ["[data-armed]", "[data-renewed]"]) {
    const news = [...page.querySelectorAll(parts)];
    $$(parts).forEach((part, place) => news[place] && part.replaceChildren(...news[place].childNodes));
  }
  $$("[data-place]").forEach((part) => {
    const isMeant = page.querySelector(`[data-place="${part.dataset.place}"][data-meant]`) !== null;
    part.toggleAttribute("data-meant", isMeant);
  });
  // The card has a scroll bar of its own, and the page stays where it is.
  const sign = $(".lab-checks [data-next]");
  const column = sign?.closest(".lab-read");
  const below = sign ? sign.getBoundingClientRect().bottom - column.getBoundingClientRect().bottom : 0;
  if (below > 0) column.scrollTop += below + 24;
};

const words = (state) => state.replaceAll("_", " ");

const show = (world) => {
  // Another tab has begun another world or set another stage.
  if (String(world.number) !== frame.dataset.world) return begin(frame.dataset.world !== "0");
  const card = $("[data-journey]");
  if ((card?.dataset.journey ?? null) !== world.journey) return begin(true);
  $("[data-clock]").textContent = world.clock;
  $("[data-store]").textContent = world.store;
  tell(world.said ?? "");
  $$("[name=action]").forEach((button) => (button.disabled = !world.sells));
  press("[data-network=cloud]", world.cloud);
  press("[data-customer]", world.customer);
  press("[data-rates]", world.rates);
  // A choice that is not set yet stays.
  const bank = $("[data-bank]");
  if (bank.dataset.bank !== world.bank) bank.dataset.bank = bank.value = world.bank;
  const states = {};
  let isCurrent = true;
  for (const { n, state, network, armed, transitions } of world.devices) {
    (states[state] ??= []).push(n);
    $(`[data-state-of="${n}"]`).textContent = words(state);
    press(`[data-network="${n}"]`, network);
    isCurrent &&= (armed !== null) === ($(`[data-armed="${n}"]`).textContent !== "");
    const lines = transitions.map(({ event, from, to }) => {
      const [line, code, word] = ["li", "code", "span"].map((name) => document.createElement(name));
      [code.textContent, word.textContent, word.className] = [`${words(from)} → ${words(to)}`, event, "soft"];
      line.append(code, " ", word);
      return line;
    });
    $(`[data-transitions="${n}"]`).replaceChildren(...lines);
  }
  $$("[data-node]").forEach((node) => {
    const lit = states[node.dataset.node] ?? [];
    node.toggleAttribute("data-lit", lit.length > 0);
    node.querySelectorAll("[data-device]").forEach((light) =>
      light.toggleAttribute("data-on", lit.includes(Number(light.dataset.device))));
  });
  $$(".lab-checks li").forEach((line, place) => {
    const isReached = world.expectations[place];
    isCurrent &&= line.hasAttribute("data-reached") === isReached;
    line.toggleAttribute("data-reached", isReached);
    line.toggleAttribute("data-next", !isReached && (place === 0 || world.expectations[place - 1]));
  });
  isCurrent &&= ($("[data-interruption]")?.dataset.interruption ?? "") === world.interruption;
  if (!isCurrent) fetch(location.href).then(renew, () => {});
  if (!card) return;
  const { state, label } = world.journeys.find(({ id }) => id === world.journey);
  const mark = $(".lab-mark");
  card.dataset.journeyState = mark.dataset.walk = state;
  mark.lastChild.textContent = label;
};

/** Says in place what could not be done, so that no device loses its page. */
const say = (words) => {
  const note = $("[data-refused]");
  [note.textContent, note.hidden] = [words, !words];
};

/** Says what became of a process that was killed, or is to be: the answer to the last press. */
let told = $("[data-said]")?.textContent;
const tell = (words) => {
  if (words === told) return;
  told = words;
  const note = $("[data-said]");
  [note.textContent, note.hidden] = [words, !words];
};

let asking = false;
const follow = async () => {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const answer = await fetch(stateOf);
    $("[data-silent]").hidden = true;
    if (answer.status === 410) begin();
    else if (answer.ok) show(await answer.json());
  } catch {
    // The demo was stopped; a later question finds it again.
    $("[data-silent]").hidden = false;
  }
  asking = false;
};

// Tabs show and hide frames, which stay as they are. A hidden one is loaded when it is shown for the first time.

const deviceOf = (tab) => $(`.lab-device[data-device="${tab.dataset.tab}"]`);
const isVisible = (device) => device.offsetParent !== null;

const markTabs = () =>
  $$("[data-tab]").forEach((tab) => {
    if (isVisible(deviceOf(tab))) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  });

const showDevice = (tab) => {
  const device = deviceOf(tab);
  if (!isVisible(device)) {
    $$(".lab-device").forEach((one) => one.toggleAttribute("data-shown", one === device));
    $$("[name=shown]").forEach((field) => (field.value = tab.dataset.tab));
    history.replaceState(null, "", tab.href);
    markTabs();
  }
  $(".lab-stage").scrollIntoView();
};

if (frame) {
  // A stage was set. Not every browser gives the focus to what an address names.
  const heading = $(".lab-card h3[tabindex]");
  if (heading && location.hash === `#${heading.id}`) heading.focus({ preventScroll: true });
  $("[data-replaced]").hidden = sessionStorage.getItem(replaced) === null;
  sessionStorage.removeItem(replaced);
  setInterval(follow, 1000);
  document.addEventListener("visibilitychange", follow);
  markTabs();
  addEventListener("resize", markTabs);
  addEventListener("pageshow", () => (isLeaving = false));
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-tab]");
    // With a key held it is opened elsewhere.
    if (!tab || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    showDevice(tab);
  });
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-quiet]");
    if (!form) {
      isLeaving = true;
      return;
    }
    event.preventDefault();
    // The same words again are another answer.
    tell("");
    // A button named "action" hides the property of this name.
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body: fields }).catch(() => null);
    if (answer?.status === 422) {
      const page = await pageOf(answer);
      return say([...page.querySelectorAll("main h1, main h1 + p")].map((part) => part.textContent).join(". "));
    }
    say("");
    // What went wrong otherwise is said on a page of its own.
    if (!answer?.ok) {
      form.removeAttribute("data-quiet");
      return form.requestSubmit(event.submitter);
    }
    if (form.dataset.reloads) {
      // The next press is another kill, at once unless another choice is made.
      form.reset();
      await renew(answer);
      $(`[data-frame="${form.dataset.reloads}"]`)?.contentWindow.location.reload();
    }
    follow();
  });
}
