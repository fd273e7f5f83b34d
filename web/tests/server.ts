import { test as base, expect, type Page } from "@playwright/test";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The program under test, a small table and two quick models of it, and a server for each. */
const kProgram = process.env.MIRRORBALL_PROGRAM ?? new URL("../../build/release/mirrorball", import.meta.url).pathname;

export interface Served {
  address: string;
  folder: string;
  model: string;
}

/** Rows of numbers size and age (with gaps), a category kind, and targets price and rent that hang together. */
function table(rows: number): string {
  const lines = ["size,age,kind,price,rent"];
  let state = 7;
  const next = () => ((state = (state * 1103515245 + 12345) % 2147483648) >>> 12) / (2147483648 / 4096);
  for (let i = 0; i < rows; ++i) {
    const size = 20 + 180 * next();
    const age = Math.floor(100 * next());
    const kind = ["flat", "house", "loft"][Math.floor(3 * next())]!;
    const price = size * (kind === "loft" ? 9 : 5) - age + 60 * (next() + next() - 1);
    const rent = price / 60 + 3 * next();
    lines.push([size.toFixed(1), i % 11 === 3 ? "" : age, kind, price.toFixed(1), rent.toFixed(2)].join(","));
  }
  return lines.join("\n") + "\n";
}

/** Days of three years from 2021 on, and a price that grows with them. */
function datedTable(rows: number): string {
  const day = (i: number) => new Date(Date.UTC(2021, 0, 1 + ((i * 37) % 1095))).toISOString().slice(0, 10);
  return ["sold,size,price", ...Array.from({ length: rows }, (_, i) => `${day(i)},${i % 9},${((i * 37) % 1095) + (i % 5)}`)].join("\n") + "\n";
}

/** A coast from south-east to north-west: latitude and longitude do not go together everywhere. Prices are capped at 5.00001, tolls
 * are mostly 0 and never whole, and nine of twelve features, the first nine, are noise. */
function coastTable(rows: number): string {
  const noise = Array.from({ length: 9 }, (_, i) => `noise_of_kind_${i + 1}`);
  const lines = [[...noise, "latitude", "longitude", "tolls", "price"].join(",")];
  let state = 11;
  const next = () => ((state = (state * 1103515245 + 12345) % 2147483648) >>> 8) / (2147483648 / 256);
  for (let i = 0; i < rows; ++i) {
    const latitude = 32 + 8 * next();
    const longitude = -114 - 1.2 * (latitude - 32) + 0.8 * next();
    const tolls = i % 20 > 0 ? 0 : next() < 0.5 ? 5.76 : 6.12;
    const price = Math.min(5.00001, 1 + 0.5 * (latitude - 32) + 1.5 * (next() + next() + next() - 1.5) + 0.2 * tolls);
    lines.push([...noise.map(() => next().toFixed(3)), latitude.toFixed(2), longitude.toFixed(2), tolls, price].join(","));
  }
  return lines.join("\n") + "\n";
}

export async function serve(folder: string, model: string, more: string[] = []): Promise<{ served: Served; stop: () => Promise<number | null> }> {
  const child = spawn(kProgram, ["serve", model, ...(more.includes("--port") ? [] : ["--port", "0"]), ...more], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const address = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const found = /http:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
  });
  return {
    served: { address, folder, model },
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}

interface Fixtures {
  problems: string[];
}
interface WorkerFixtures {
  folder: string;
  one: Served;
  two: Served;
  dated: Served;
  coast: Served;
}

/** A server as long as a worker needs it. */
const serving = (model: string, ...more: string[]) => async ({ folder }: { folder: string }, use: (served: Served) => Promise<void>) => {
  const { served, stop } = await serve(folder, model, more);
  await use(served);
  expect(await stop()).toBe(0);
};

const quick = ["--networks", "2", "--width", "32", "--epochs", "30", "--min-steps", "0", "--neighbours", "0", "--seed", "1", "--quiet"];

export const test = base.extend<Fixtures, WorkerFixtures>({
  folder: [async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), "mirrorball_web_"));
    writeFileSync(join(folder, "homes.csv"), table(600));
    writeFileSync(join(folder, "dated.csv"), datedTable(300));
    writeFileSync(join(folder, "coast.csv"), coastTable(800));
    const fit = (...words: string[]) => execFileSync(kProgram, ["fit", ...words, ...quick], { cwd: folder });
    fit("homes.csv", "--target", "price", "--ignore", "rent", "--out", "homes.mirrorball");
    fit("homes.csv", "--target", "price", "--target", "rent", "--out", "both.mirrorball");
    fit("dated.csv", "--target", "price", "--out", "dated.mirrorball");
    fit("coast.csv", "--target", "price", "--out", "coast.mirrorball");
    await use(folder);
    rmSync(folder, { recursive: true });
  }, { scope: "worker", timeout: 240_000 }],
  one: [serving("homes.mirrorball"), { scope: "worker", timeout: 60_000 }],
  two: [serving("both.mirrorball"), { scope: "worker", timeout: 60_000 }],
  dated: [serving("dated.mirrorball"), { scope: "worker", timeout: 60_000 }],
  coast: [serving("coast.mirrorball", "--background", "coast.csv"), { scope: "worker", timeout: 60_000 }],
  // Nothing may be complained about in the console of any test.
  problems: [async ({ page }, use) => {
    const problems: string[] = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("pageerror", (error) => problems.push(error.message));
    await use(problems);
    expect(problems).toEqual([]);
  }, { auto: true }],
});

export { expect, kProgram };

/** Opens the explorer and waits for its first forecast and explanation. */
export async function open(page: Page, served: Served, hash = ""): Promise<void> {
  await page.goto(served.address + hash);
  await expect(page.locator(".forecast-panel .chart")).toHaveAttribute("data-updates", /\d+/);
  await explained(page);
}

/** Waits until an explanation is there and refined. */
export const explained = (page: Page): Promise<void> =>
  expect(page.locator(".why-panel:not(.busy):not(.stale) .bars tbody tr").first()).toBeVisible();

/** The outline of the first density. */
export const outline = (page: Page): Promise<string | null> =>
  page.locator(".forecast-panel .chart svg g[aria-label=line] path").first().getAttribute("d");

/** What axe finds in the way of somebody who uses a screen reader or a keyboard. */
export async function obstacles(page: Page): Promise<string[]> {
  await page.evaluate(readFileSync(new URL("../node_modules/axe-core/axe.min.js", import.meta.url), "utf8"));
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    return (await axe.run()).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`);
  });
}
