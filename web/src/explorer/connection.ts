import { h, put } from "../shared/dom";
import { getModel, nameNow, probe, useToken, watch, type ModelFacts } from "./api";

/** Watches the connection. While the server is away, or another model or another token is there, what the page shows is grey and
 * cannot be used, a line says why, and the server is tried again and again. */

type Link = "up" | "down" | "token" | "other";

/** Seconds between attempts. */
const kWaits = [1, 2, 4, 8, 15, 30];
/** An idle page asks this often whether the server is still there, in seconds. */
const kIdle = 10;

export class Connection {
  readonly element = h("div", { class: "connection", role: "alert" });
  private link: Link = "up";
  private last = new Date();
  private attempts = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;

  /** `back` is called when the server is there again. */
  constructor(private readonly model: ModelFacts, private readonly stale: () => Element[], private readonly back: () => void) {
    watch(model.id, {
      answered: () => this.answered(), lost: () => this.set("down"), refusedToken: () => this.set("token"),
      otherModel: () => this.set("other"),
    });
    setInterval(() => {
      if (this.link === "up" && document.visibilityState === "visible" && Date.now() - this.last.getTime() > 1000 * kIdle) this.try();
    }, 1000 * kIdle / 2);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.link !== "up" && this.try());
  }

  private try(): void {
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    probe().catch(() => undefined);
  }

  private answered(): void {
    this.last = new Date();
    if (this.link === "up") return;
    this.set("up");
    this.back();
  }

  private set(link: Link): void {
    const changed = link !== this.link;
    this.link = link;
    clearTimeout(this.timer);
    clearInterval(this.ticking);
    if (changed) this.attempts = 0;
    for (const element of this.stale()) {
      element.classList.toggle("away", link !== "up");
      (element as HTMLElement).inert = link !== "up";
    }
    this.element.dataset.link = link;
    if (link === "up") put(this.element);
    if (link === "down") this.retry();
    if (link === "token" && changed) this.askForToken();
    if (link === "other" && changed) void this.offerReload();
  }

  private retry(): void {
    const wait = kWaits[Math.min(this.attempts++, kWaits.length - 1)]!;
    const due = Date.now() + 1000 * wait;
    const countdown = h("span", { "aria-hidden": "true" });
    const tick = () => put(countdown, ` Next attempt in ${Math.max(0, Math.ceil((due - Date.now()) / 1000))} s.`);
    tick();
    this.say("The server does not respond. ", `What is shown in grey is from ${this.last.toLocaleTimeString("en-GB")}, before it stopped.`,
      countdown, h("button", { type: "button", onclick: () => this.try() }, "Try now"));
    this.ticking = setInterval(tick, 250);
    this.timer = setTimeout(() => this.try(), 1000 * wait);
  }

  private askForToken(): void {
    const word = h("input", { type: "password", "aria-label": "Token", autocomplete: "off" });
    const form = h("form", {}, word, h("button", { class: "primary" }, "Use it"));
    form.onsubmit = (event) => {
      event.preventDefault();
      useToken(word.value);
      probe().catch(() => this.say("This token is wrong as well. ", "Look at the --token that the server was started with.", form));
    };
    this.say("The server no longer accepts the token. ", "What is shown in grey is from before.", form);
  }

  private async offerReload(): Promise<void> {
    const reload = h("button", { type: "button", class: "primary", onclick: () => location.reload() }, "Load it");
    const name = await nameNow().catch(() => "");
    this.say("Another model answers at this address now",
      name && name !== this.model.name ? `: ${name}. ` : name ? `: ${name}, fitted anew. ` : ". ",
      `What is shown in grey is of the one before.`, reload);
  }

  private say(first: string, ...more: (Node | string)[]): void {
    put(this.element, h("p", { class: "notice bad" }, h("strong", {}, first), ...more));
  }
}

/** The token that a server on a public address requires; `wrong` where one was sent already. */
export function tokenForm(wrong: boolean, opened: () => void): HTMLElement {
  const word = h("input", { type: "password", "aria-label": "Token", autocomplete: "off" });
  const form = h("form", { class: "card token" }, h("h1", {}, "This server requires a token"),
    h("p", { class: "soft" }, "The token that the server was started with (--token)."),
    h("p", { class: "notice bad", role: "alert" }, wrong && "This token is wrong."), word, h("button", { class: "primary" }, "Open"));
  form.onsubmit = (event) => {
    event.preventDefault();
    useToken(word.value);
    opened();
  };
  return form;
}

/** Where there is no server at all yet: tries again until there is one. */
export async function firstModel(waiting: (seconds: number) => void): Promise<ModelFacts> {
  for (let attempt = 0; ; ++attempt) {
    try {
      return await getModel();
    } catch (error) {
      if ((error as { status?: number }).status !== 0) throw error;
      const wait = kWaits[Math.min(attempt, kWaits.length - 1)]!;
      waiting(wait);
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }
}
