import { h, put } from "../shared/dom";
import { hasToken } from "./api";
import { addressOf } from "./address";
import { asCommand, asCurl, asPython } from "./snippets";
import type { State } from "./state";

/** What the page shows, to take along: a link, or a command that asks the same elsewhere. */

const kKinds = ["Link", "curl", "Python", "Command line"] as const;

export function shareButton(state: State): HTMLElement {
  const text = h("textarea", { rows: 9, readOnly: true, spellcheck: false, "aria-label": "Text to copy" });
  const said = h("span", { class: "soft small", role: "status" });
  let kind: (typeof kKinds)[number] = "Link";
  const page = () => location.origin + location.pathname;
  const show = () => {
    text.value = kind === "Link" ? `${page()}#${addressOf(state)}` : kind === "curl" ? asCurl(state, page(), hasToken())
      : kind === "Python" ? asPython(state) : asCommand(state);
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", String(kKinds[i] === kind)));
    put(said);
  };
  const tabs = kKinds.map((one) => h("button", { type: "button", onclick: () => {
    kind = one;
    show();
  } }, one));
  const copy = h("button", { type: "button", class: "primary", onclick: async () => {
    await copyText(text);
    put(said, "Copied");
  } }, "Copy");
  const dialog = h("dialog", { "aria-labelledby": "share-title", class: "share-dialog" },
    h("h2", { id: "share-title" }, "Copy what is shown"),
    h("div", { class: "segments", role: "group", "aria-label": "Form" }, ...tabs), text,
    h("div", { class: "buttons" }, said, h("button", { type: "button", onclick: () => dialog.close() }, "Close"), copy));
  return h("span", {}, h("button", { type: "button", class: "quiet", onclick: () => {
    show();
    dialog.showModal();
  } }, "Copy as…"), dialog);
}

/** The clipboard is there on secure pages only; elsewhere the selected text is copied. */
async function copyText(from: HTMLTextAreaElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(from.value);
  } catch {
    from.select();
    document.execCommand("copy");
  }
}
