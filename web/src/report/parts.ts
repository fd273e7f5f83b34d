import { h, newId } from "../shared/dom";

/** What the sections are built of. */

/** A picture that is drawn for the width it has, when it comes near the window, and again when that changes. `label` says in
 * words what it shows. */
export function chart(label: string, draw: (width: number) => SVGElement, least = 260): HTMLElement {
  const element = h("div", { class: "chart", role: "img", "aria-label": label, style: `min-height: ${least}px` });
  let drawn = 0;
  const show = () => {
    const width = Math.floor(element.clientWidth);
    if (width === 0 || width === drawn) return;
    drawn = width;
    element.replaceChildren(draw(Math.max(220, width)));
    element.style.minHeight = "";
  };
  const near = new IntersectionObserver((seen) => {
    if (!seen.some((one) => one.isIntersecting)) return;
    near.disconnect();
    show();
    new ResizeObserver(show).observe(element);
  }, { rootMargin: "600px" });
  near.observe(element);
  window.addEventListener("beforeprint", show);
  return element;
}

/** A titled picture with a line on what to see in it. */
export function figure(title: string, words: string | Node, picture: HTMLElement, ...legend: HTMLElement[]): HTMLElement {
  return h("figure", {}, h("h3", {}, title), h("figcaption", {}, words), picture,
    legend.length > 0 && h("div", { class: "legend" }, ...legend));
}

export const key = (kind: string, words: string): HTMLElement => h("span", { class: "key" }, h("i", { class: `swatch ${kind}` }), words);

export function section(id: string, title: string, words: string | null, ...children: (HTMLElement | null)[]): HTMLElement {
  return h("section", { class: "card", id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title),
    words && h("p", { class: "lede" }, words), ...children);
}

/** What a reader may want to know once; folded away. */
export const help = (summary: string, ...paragraphs: string[]): HTMLElement =>
  h("details", { class: "help" }, h("summary", {}, summary), ...paragraphs.map((text) => h("p", {}, text)));

/** A table that scrolls by itself where it is too wide. */
export function tableOf(caption: string, head: string[], rows: (string | Node)[][], numbersFrom = 1): HTMLElement {
  const align = (i: number) => (i >= numbersFrom ? "number" : "");
  return h("div", { class: "scroll", tabIndex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "visually-hidden" }, caption),
      h("thead", {}, h("tr", {}, ...head.map((name, i) => h("th", { scope: "col", class: align(i) }, name)))),
      h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map((cell, i) =>
        i === 0 ? h("th", { scope: "row" }, cell) : h("td", { class: align(i) }, cell)))))));
}

/** One of several: a select box and its name. */
export function choice(label: string, options: string[], changed: (index: number) => void): HTMLElement {
  const select = h("select", { id: newId("choice") }, ...options.map((name, i) => h("option", { value: String(i) }, name)));
  select.onchange = () => changed(Number(select.value));
  return h("div", { class: "choice" }, h("label", { htmlFor: select.id }, label), select);
}
