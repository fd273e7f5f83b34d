import { isMissing, numberOf } from "./paste";

/** A table that somebody opened: its cells as text, and what was predicted for each row. */

export interface TextTable {
  header: string[];
  rows: string[][];
}

/** CSV with any of the usual separators; a cell in double quotes may have separators, quotes (doubled) and line ends in it. */
export function parseTable(text: string): TextTable {
  const plain = text.replace(/^\uFEFF/, "");
  const first = plain.split(/\r?\n/, 1)[0]!;
  const counted = ["\t", ";", ",", "|"].map((one) => ({ one, times: first.split(one).length }));
  const separator = counted.reduce((best, next) => (next.times > best.times ? next : best)).one;
  const lines: string[][] = [];
  let line: string[] = [], cell = "", quoted = false, inQuotes = false;
  const endCell = () => {
    line.push(quoted ? cell : cell.trim());
    cell = "";
    quoted = false;
  };
  const endLine = () => {
    endCell();
    if (line.length > 1 || line[0] !== "") lines.push(line);
    line = [];
  };
  for (let i = 0; i < plain.length; ++i) {
    const c = plain[i]!;
    if (inQuotes) {
      if (c !== '"') cell += c;
      else if (plain[i + 1] === '"') cell += plain[++i]!;
      else inQuotes = false;
    } else if (c === '"' && cell.trim() === "") {
      inQuotes = quoted = true;
      cell = "";
    } else if (c === separator) endCell();
    else if (c === "\n" || c === "\r") {
      if (c === "\r" && plain[i + 1] === "\n") ++i;
      endLine();
    } else if (!quoted || c.trim() !== "") cell += c;
  }
  if (cell !== "" || line.length > 0 || quoted) endLine();
  const [header = [], ...rows] = lines;
  return { header, rows };
}

/** A row of the table in numbers. */
export interface Listed {
  number: number;
  cells: string[];
  median: number;
  low: number;
  high: number;
  mean: number;
  outcome: number;
}

export const numberAt = (text: string | undefined): number => (isMissing(text) ? NaN : numberOf(text!.trim()));

/** The columns that `mirrorball predict` writes for a target. */
export function listRows(table: TextTable, predictions: TextTable, target: string): Listed[] {
  const column = (name: string) => predictions.header.indexOf(`${target}_${name}`);
  const [mean, low, median, high] = ["mean", "q0.05", "q0.5", "q0.95"].map(column) as [number, number, number, number];
  const observed = table.header.indexOf(target);
  return table.rows.map((cells, number) => {
    const found = predictions.rows[number]!;
    return { number, cells, mean: Number(found[mean]), low: Number(found[low]), median: Number(found[median]), high: Number(found[high]),
      outcome: observed < 0 ? NaN : numberAt(cells[observed]) };
  });
}

export type Order = "number" | "median" | "width" | "outcome" | "error" | `cell:${number}`;

/** What rows are sorted by; the error is the distance from the outcome to the median. */
function keyOf(row: Listed, order: Order): number | string {
  switch (order) {
    case "number": return row.number;
    case "median": return row.median;
    case "width": return row.high - row.low;
    case "outcome": return row.outcome;
    case "error": return Math.abs(row.outcome - row.median);
    default: {
      const text = row.cells[Number(order.slice(5))] ?? "";
      const number = numberAt(text);
      return Number.isNaN(number) ? text : number;
    }
  }
}

/** Missing values last, in either direction; numbers before texts. */
export function sortRows(rows: Listed[], order: Order, down: boolean): Listed[] {
  const isEmpty = (key: number | string) => key === "" || Number.isNaN(key);
  const sign = down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [keyOf(a, order), keyOf(b, order)];
    if (isEmpty(x) || isEmpty(y)) return Number(isEmpty(x)) - Number(isEmpty(y)) || a.number - b.number;
    const difference = typeof x === "number" && typeof y === "number" ? x - y
      : typeof x === "string" && typeof y === "string" ? x.localeCompare(y) : typeof x === "number" ? -1 : 1;
    return sign * difference || a.number - b.number;
  });
}

const kTerm = /^\s*"?([^"<>=!]+?)"?\s*(<=|>=|!=|=|<|>)\s*(.+?)\s*$/;

/** A test for rows from what somebody typed: comparisons and words, all of which must hold: `size > 100 and loft`. Comparisons are of
 * columns, and of median, width, outcome and error. */
export function parseFilter(text: string, header: string[]): (row: Listed) => boolean {
  const tests = text.split(/\s+and\s+|\s*&&?\s*|,(?=\s)/i).filter((term) => term.trim() !== "").map((term) => {
    const found = kTerm.exec(term);
    const name = found?.[1]!.trim().toLowerCase();
    const column = header.findIndex((one) => one.toLowerCase() === name);
    const order = column >= 0 ? (`cell:${column}` as Order) : (["median", "width", "outcome", "error"] as const).find((one) => one === name);
    if (!found || !order) {
      const wanted = term.trim().toLowerCase();
      return (row: Listed) => row.cells.some((cell) => cell.toLowerCase().includes(wanted));
    }
    const [operator, value] = [found[2]!, found[3]!.replace(/^["']|["']$/g, "")];
    const limit = numberAt(value);
    return (row: Listed) => {
      const key = keyOf(row, order);
      if (operator === "=" || operator === "!=") {
        const same = Number.isNaN(limit) ? String(key).toLowerCase() === value.toLowerCase() : key === limit;
        return same === (operator === "=");
      }
      if (typeof key !== "number" || Number.isNaN(key) || Number.isNaN(limit)) return false;
      return operator === "<" ? key < limit : operator === "<=" ? key <= limit : operator === ">" ? key > limit : key >= limit;
    };
  });
  return (row) => tests.every((test) => test(row));
}
