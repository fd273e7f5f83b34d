import { h } from "./dom";

/** A picture or its numbers as a file. */

export type Cell = string | number | null | undefined;
export type Table = Record<string, Cell>[];

function download(name: string, blob: Blob): void {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** CSV as RFC 4180 has it; a missing value is empty. */
function csvOf(table: Table): string {
  const columns = [...new Set(table.flatMap((row) => Object.keys(row)))];
  const cell = (value: Cell) => {
    const text = value === null || value === undefined ? "" : String(value);
    return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map(cell).join(","), ...table.map((row) => columns.map((name) => cell(row[name])).join(","))].join("\n") + "\n";
}

/** The drawing by itself: colours of the theme as they are now, fonts, and a ground under it. */
function standalone(svg: SVGSVGElement): { text: string; width: number; height: number } {
  const style = getComputedStyle(document.documentElement);
  const box = svg.getBoundingClientRect();
  // One that was drawn to be saved lies nowhere on the page.
  const [width, height] = [Math.round(box.width) || Number(svg.getAttribute("width")), Math.round(box.height) || Number(svg.getAttribute("height"))];
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.removeAttribute("aria-hidden");
  // Custom properties may hold light-dark(): an element with the colour shows what it is now.
  const probe = document.body.appendChild(h("i", { hidden: true }));
  const now = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const text = new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, (_, name: string) => now(name));
  const ground = now("--card");
  probe.remove();
  const first = text.indexOf(">") + 1;
  return { width, height, text: text.slice(0, first) +
    `<rect width="100%" height="100%" fill="${ground}"/><style>text{font-family:${style.fontFamily.replaceAll('"', "'")}}</style>` + text.slice(first) };
}

function saveSvg(svg: SVGSVGElement, name: string): void {
  download(`${name}.svg`, new Blob([standalone(svg).text], { type: "image/svg+xml" }));
}

/** At twice the size on the screen. */
async function savePng(svg: SVGSVGElement, name: string): Promise<void> {
  const { text, width, height } = standalone(svg);
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = h("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, 2 * width, 2 * height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (blob) download(`${name}.png`, blob);
}

function saveCsv(table: Table, name: string): void {
  download(`${name}.csv`, new Blob([csvOf(table)], { type: "text/csv" }));
}

/** A small menu with the formats. `picture` is called when something is chosen: drawings are made anew. A table alone has none. */
export function saveMenu(title: string, picture: (() => SVGSVGElement | null) | null, table: (() => Table) | null): HTMLElement {
  const name = title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "figure";
  const button = (format: string, words: string, act: () => void) =>
    h("button", { type: "button", title: words, "aria-label": `${words}: ${title}`, onclick: act }, format);
  const drawn = (act: (svg: SVGSVGElement) => void) => () => {
    const svg = picture?.();
    if (svg) act(svg);
  };
  return h("div", { class: "save", role: "group", "aria-label": `Save ${title}` },
    picture && button("SVG", "Save as SVG", drawn((svg) => saveSvg(svg, name))),
    picture && button("PNG", "Save as PNG", drawn((svg) => void savePng(svg, name))),
    table && button("CSV", "Save the numbers as CSV", () => saveCsv(table(), name)));
}
