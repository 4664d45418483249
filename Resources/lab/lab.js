// The page of the lab without reloads: buttons act in place, and the page follows the world.

const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
const stateOf = document.body.dataset.labState;
const isLab = $("[data-frame]") !== null;

const press = (place, value) =>
  $$(`${place} button`).forEach((button) => {
    if (button.value === value) button.setAttribute("aria-pressed", "true");
    else button.removeAttribute("aria-pressed");
  });

const show = (world) => {
  $("[data-clock]").textContent = world.clock;
  $("[data-store]").textContent = world.store;
  press("[data-network=cloud]", world.cloud);
  press("[data-rates]", world.rates);
  const states = {};
  for (const { n, state, network, transitions } of world.devices) {
    (states[state] ??= []).push(n);
    $(`[data-state-of="${n}"]`).textContent = state;
    press(`[data-network="${n}"]`, network);
    const lines = transitions.map(({ event, from, to }) => {
      const [line, code, word] = ["li", "code", "span"].map((name) => document.createElement(name));
      [code.textContent, word.textContent, word.className] = [`${from} → ${to}`, event, "soft"];
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
  const card = $("[data-journey]");
  // Another tab has set another stage.
  if ((card?.dataset.journey ?? null) !== world.journey) return location.reload();
  if (!card) return;
  $$(".lab-checks li").forEach((line, place) => line.toggleAttribute("data-reached", world.expectations[place]));
  const { state, label } = world.journeys.find(({ id }) => id === world.journey);
  const mark = $(".lab-mark");
  card.dataset.journeyState = mark.dataset.walk = state;
  mark.lastChild.textContent = label;
};

let asking = false;
const follow = async () => {
  if (asking || document.hidden) return;
  asking = true;
  try {
    const answer = await fetch(stateOf);
    if (answer.status === 410) location.reload();
    else if (answer.ok) show(await answer.json());
  } catch {
    // The demo was stopped; the next question finds it again.
  }
  asking = false;
};

if (isLab) {
  setInterval(follow, 1000);
  document.addEventListener("visibilitychange", follow);
  document.addEventListener("submit", async (event) => {
    const form = event.target.closest("form[data-quiet]");
    if (!form) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const answer = await fetch(form.action, { method: "POST", body: fields }).catch(() => null);
    // What could not be done is said on a page of its own.
    if (!answer?.ok) {
      form.removeAttribute("data-quiet");
      return form.requestSubmit(event.submitter);
    }
    const frame = form.dataset.reloads && $(`[data-frame="${form.dataset.reloads}"]`);
    if (frame) frame.contentWindow.location.reload();
    follow();
  });
}
