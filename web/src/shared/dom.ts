/** Small helpers to make elements; enough for two pages, so that no framework is needed. */

type Child = Node | string | number | null | undefined | false;
type Props = Record<string, unknown>;

/** h("button", {class: "quiet", onclick: f, "aria-pressed": "true"}, "Text"). Functions and properties that the element
 * has are set as properties, everything else as attributes; `false`, `null` and `undefined` are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue;
    if (typeof value === "function" || (name in element && name !== "list" && name !== "class" && name !== "style"))
      (element as unknown as Props)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  put(element, ...children);
  return element;
}

/** Replaces what is in an element. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((c) => c !== null && c !== undefined && c !== false).map((c) =>
    typeof c === "number" ? String(c) : (c as Node | string)));
}

/** A column's name, which may break after an underscore. */
export function breakable(name: string): DocumentFragment {
  const fragment = document.createDocumentFragment();
  for (const [i, part] of name.split(/(?<=_)(?!_)/).entries()) fragment.append(...(i > 0 ? [document.createElement("wbr")] : []), part);
  return fragment;
}

let ids = 0;
/** An id nobody else has. */
export const newId = (stem: string): string => `${stem}-${++ids}`;

/** Runs asynchronous work for the newest wish only: one is under way, one waits, those between are dropped. */
export function latestOnly<T>(work: (wish: T) => Promise<void>): (wish: T) => Promise<void> {
  let busy = false;
  let next: { wish: T } | null = null;
  return async (wish: T) => {
    next = { wish };
    if (busy) return;
    busy = true;
    try {
      while (next) {
        const now: { wish: T } = next;
        next = null;
        await work(now.wish);
      }
    } finally {
      busy = false;
    }
  };
}

/** Calls `f` once nothing has been asked for `wait` milliseconds. */
export function afterPause<A extends unknown[]>(wait: number, f: (...args: A) => void): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: A) => {
    clearTimeout(timer);
    timer = setTimeout(() => f(...args), wait);
  };
}
