import { h, newId } from "../shared/dom";
import { saveMenu, type Table } from "../shared/save";

/** What the sections are built of. */

/** A drawing that knows what it points at: Observable Plot sets the value under the pointer. */
export type Picture = SVGElement & { value?: unknown };

const waiting = new Set<() => void>();
let drawing = false;

/** Draws what has not been drawn, a picture at a time, so that the page stays quick to answer. */
function drawSoon(): void {
  if (drawing) return;
  drawing = true;
  const later = (window as { requestIdleCallback?: (f: () => void, o: { timeout: number }) => void }).requestIdleCallback;
  const step = () => {
    const next = waiting.values().next().value;
    if (!next) {
      drawing = false;
      return;
    }
    waiting.delete(next);
    next();
    later ? later(step, { timeout: 50 }) : setTimeout(step, 0);
  };
  later ? later(step, { timeout: 50 }) : setTimeout(step, 0);
}

export interface ChartOptions {
  least?: number;
  /** Called with what the pointer is at when it is clicked. */
  open?: (datum: never) => void;
}

/** A picture that is drawn for the width it has, and again when that changes. `label` says in words what it shows. */
export function chart(label: string, draw: (width: number) => Picture, { least = 260, open }: ChartOptions = {}): HTMLElement {
  const element = h("div", { class: open ? "chart opens" : "chart", role: "img", "aria-label": label, style: `min-height: ${least}px` });
  let drawn = 0;
  const show = () => {
    const width = Math.floor(element.clientWidth);
    if (width === 0 || width === drawn) return;
    drawn = width;
    const picture = draw(Math.max(220, width));
    if (open) picture.addEventListener("click", () => picture.value && open(picture.value as never));
    element.replaceChildren(picture);
    element.style.minHeight = "";
  };
  const first = () => {
    show();
    new ResizeObserver(show).observe(element);
  };
  // What is in sight comes first, all others follow.
  const near = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    near.disconnect();
    if (waiting.delete(first)) first();
  });
  waiting.add(first);
  near.observe(element);
  drawSoon();
  window.addEventListener("beforeprint", show);
  return element;
}

export interface FigureOptions {
  legend?: (HTMLElement | false | null)[];
  /** The numbers of the picture. */
  table?: () => Table;
  controls?: HTMLElement | null;
  wide?: boolean;
}

/** A titled picture with a line on what to see in it, and its files. */
export function figure(title: string, words: string | Node, picture: HTMLElement, { legend = [], table, controls, wide }: FigureOptions = {}): HTMLElement {
  const shown = legend.filter((one): one is HTMLElement => !!one);
  return h("figure", { class: wide ? "wide" : "" },
    h("div", { class: "figure-head" }, h("h3", {}, title), saveMenu(title, () => picture.querySelector("svg"), table ?? null)),
    h("figcaption", {}, words), controls, picture, shown.length > 0 && h("div", { class: "legend" }, ...shown));
}

export const key = (kind: string, words: string): HTMLElement => h("span", { class: "key" }, h("i", { class: `swatch ${kind}` }), words);

export function section(id: string, title: string, words: string | null, ...children: (HTMLElement | null)[]): HTMLElement {
  return h("section", { class: "card", id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title),
    words && h("p", { class: "lede" }, words), ...children);
}

/** What a reader may want to know once; folded away. */
export const help = (summary: string, ...paragraphs: string[]): HTMLElement =>
  h("details", { class: "help" }, h("summary", {}, summary), ...paragraphs.map((text) => h("p", {}, text)));

/** A name that may break after its underscores, points and slashes, and not inside numbers. */
export function breakable(name: string): HTMLElement {
  const parts = name.split(/(?<=[_./-])(?!\d)/);
  return h("span", { class: "name" }, ...parts.flatMap((part, i) => (i === 0 ? [part] : [h("wbr"), part])));
}

const kSentence = 24; // characters

export interface TableRow {
  cells: (string | Node)[];
  class?: string;
}

/** A table that becomes a list of cards on a narrow screen. Roles are spelt out: browsers drop them with the layout. */
export function tableOf(caption: string, head: string[], rows: TableRow[], numbersFrom = 1): HTMLElement {
  const align = (i: number) => (i >= numbersFrom ? "number" : "");
  // On a card, a sentence needs no name and reads from the left; nothing needs no line.
  const kind = (cell: string | Node, i: number) => [align(i), typeof cell === "string" ? (cell.length > kSentence ? "sentence" : cell === "–" ? "none" : "") : ""].filter(Boolean).join(" ");
  return h("div", { class: "table" },
    h("table", { role: "table" }, h("caption", { class: "visually-hidden" }, caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, ...head.map((name, i) => h("th", { scope: "col", role: "columnheader", class: align(i) }, name)))),
      h("tbody", { role: "rowgroup" }, ...rows.map((row) => h("tr", { role: "row", class: row.class ?? "" }, ...row.cells.map((cell, i) =>
        i === 0 ? h("th", { scope: "row", role: "rowheader" }, cell)
          : h("td", { role: "cell", class: kind(cell, i), "data-label": head[i]! }, cell)))))));
}

/** One of several: a select box and its name. */
export function choice(label: string, options: string[], changed: (index: number) => void, start = 0): HTMLElement {
  const select = h("select", { id: newId("choice") }, ...options.map((name, i) => h("option", { value: String(i), selected: i === start }, name)));
  select.onchange = () => changed(Number(select.value));
  return h("div", { class: "choice" }, h("label", { htmlFor: select.id }, label), select);
}

/** One of a few: buttons side by side. */
export function segments(label: string, names: string[], changed: (index: number) => void): HTMLElement {
  const buttons = names.map((name, i) => h("button", { type: "button", "aria-pressed": String(i === 0), onclick: () => {
    buttons.forEach((button, j) => button.setAttribute("aria-pressed", String(i === j)));
    changed(i);
  } }, name));
  return h("div", { class: "segments", role: "group", "aria-label": label }, ...buttons);
}
