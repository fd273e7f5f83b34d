import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, explained, kProgram, obstacles, open, outline, test } from "./server";

const headline = ".forecast-panel .headline";

test("a slider moves the density, many times a second", async ({ page, one }) => {
  await open(page, one);
  const [shape, words] = [await outline(page), await page.locator(headline).innerText()];
  const slider = page.getByRole("slider", { name: "size", exact: true });
  await slider.focus();
  for (let i = 0; i < 3; ++i) await page.keyboard.press("PageUp");
  await expect(page.locator(headline)).not.toHaveText(words);
  expect(await outline(page)).not.toBe(shape);
  await expect(slider).toHaveAttribute("aria-valuetext", /\d/);

  // One move a frame, as a hand would; the drawing should keep up.
  const rate = await page.evaluate(async () => {
    const range = document.querySelector<HTMLInputElement>('input[type="range"]')!;
    const chart = document.querySelector<HTMLElement>(".forecast-panel .chart")!;
    const begun = performance.now(), before = Number(chart.dataset.updates);
    for (let i = 0; performance.now() - begun < 1500; ++i) {
      range.value = String(500 + 400 * Math.sin(i / 15));
      range.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise(requestAnimationFrame);
    }
    return (Number(chart.dataset.updates) - before) / ((performance.now() - begun) / 1000);
  });
  console.log(`    density: ${rate.toFixed(0)} updates a second`);
  expect(rate).toBeGreaterThan(process.env.MIRRORBALL_TIMINGS ? 30 : 1);
});

test("a brushed part is explained", async ({ page, one }) => {
  await open(page, one);
  const shown = page.locator(".why-panel .bars");
  const whole = await shown.getAttribute("data-shown");
  const box = (await page.locator(".forecast-panel .overlay").boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.45, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
  await page.getByRole("button", { name: "Highest 10%" }).click();
  await expect(page.locator(".edges .share")).toContainText(/(9\.\d|10)% of outcomes/);
  await expect(shown).toHaveAttribute("data-shown", /^region /);
  await explained(page);
  const region = await shown.getAttribute("data-shown");
  expect(region).not.toBe(whole);
  await expect(page.locator(".why-words")).toContainText("chance of this part");

  // The same with the keyboard: an edge is a slider.
  await page.getByRole("slider", { name: "From, price" }).focus();
  await page.keyboard.press("PageDown");
  await expect(shown).not.toHaveAttribute("data-shown", region!);
  await page.getByLabel("What is explained").selectOption({ label: "the values in this part" });
  await expect(shown).toHaveAttribute("data-shown", /^mean /);
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.locator(".edges")).toBeEmpty();
  await expect(shown).toHaveAttribute("data-shown", whole!);
});

test("two targets have a plane with a rectangle to brush", async ({ page, two }) => {
  await open(page, two);
  await page.getByRole("button", { name: "price × rent" }).click();
  await expect(page.locator(headline)).toContainText("rent");
  const box = (await page.locator(".forecast-panel .overlay").boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height * 0.8);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + box.height * 0.12, { steps: 6 });
  await page.mouse.up();
  await expect(page.locator(".edges .edge")).toHaveCount(2);
  await expect(page.locator(".edges .share")).toContainText("%");
  await expect(page.locator(".why-panel .bars")).toHaveAttribute("data-shown", /^region .*price.*rent/);
  await expect(page.getByRole("slider", { name: /^(From|To), / })).toHaveCount(4);
});

test("a table goes in and predictions come out as a file", async ({ page, one }) => {
  await open(page, one);
  await page.locator("#upload").setInputFiles(join(one.folder, "homes.csv"));
  const link = page.getByRole("link", { name: "Save homes-predictions.csv" });
  await expect(link).toBeVisible();
  await expect(page.locator(".file-status")).toContainText("600 rows predicted");
  const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
  const saved = readFileSync(await download.path(), "utf8");
  expect(saved).toBe(execFileSync(kProgram, ["predict", one.model, "homes.csv"], { cwd: one.folder, encoding: "utf8" }));
});

test("a table that does not fit is refused in words", async ({ page, one, problems }) => {
  await open(page, one);
  writeFileSync(join(one.folder, "other.csv"), "a,b\n1,2\n");
  await page.locator("#upload").setInputFiles(join(one.folder, "other.csv"));
  await expect(page.locator(".file-status [role=alert]")).toContainText("size");
  expect(problems.splice(0).join()).toContain("400"); // the browser notes the refused request
});

test("rows are pasted, pinned and compared, and functions drawn", async ({ page, one }) => {
  await open(page, one);
  await page.getByRole("button", { name: "Pin to compare" }).click();
  await page.getByRole("button", { name: "Paste…" }).click();
  await page.getByRole("textbox", { name: "Row" }).fill("size,age,kind\n150,NA,loft");
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(page.locator(".compare-panel tbody")).toContainText("loft");
  await expect(page.locator(".compare-panel tbody")).toContainText("no value");
  await expect(page.locator(".compare-panel")).toContainText(/probability of\s+\d/);
  await expect(page.locator(".forecast-panel g[aria-label=line] path")).toHaveCount(2);
  await page.getByLabel("Feature to run along").selectOption("age");
  await expect(page.locator(".functions-panel .chart")).toHaveAttribute("aria-label", /40 sample functions of price over age/);
  await page.getByRole("button", { name: "Swap" }).click();
  await page.getByRole("button", { name: "Unpin" }).click();
  await expect(page.locator(".forecast-panel g[aria-label=line] path")).toHaveCount(1);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`nothing stands in the way of a screen reader, ${colorScheme}`, async ({ page, two }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open(page, two);
    await page.getByRole("button", { name: "Highest 10%" }).click();
    await page.getByRole("button", { name: "Pin to compare" }).click();
    await explained(page);
    expect(await obstacles(page)).toEqual([]);
  });

for (const width of [360, 2560])
  test(`fits a screen of ${width} pixels`, async ({ page, two }) => {
    await page.setViewportSize({ width, height: 900 });
    await open(page, two);
    await page.getByRole("button", { name: "price × rent" }).click();
    await page.getByRole("button", { name: "Both high" }).click();
    await page.getByRole("button", { name: "Pin to compare" }).click();
    await explained(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

test("dates are given and shown as dates", async ({ page, dated }) => {
  await open(page, dated);
  const entry = page.getByLabel("sold, exact value"), slider = page.getByRole("slider", { name: "sold", exact: true });
  await expect(entry).toHaveValue(/^2022-0[5-8]-\d\d$/); // the middle of three years
  const words = await page.locator(headline).innerText();
  await entry.fill("2023-03-05");
  await expect(slider).toHaveAttribute("aria-valuetext", "2023-03-05");
  await expect(page.locator(headline)).not.toHaveText(words);
  await explained(page);
  await expect(page.locator(".why-panel .bars")).toContainText("2023-03-05");
  await expect(page.locator(".functions-panel .chart")).toHaveAttribute("aria-label", /at 2021-01-\d\d to .* at 2023-12-\d\d/);
  await expect(page.locator(".functions-panel .chart")).toContainText("2023");
  await entry.fill("2030-01-01");
  await expect(page.getByText(/Above everything in training \(up to 2023-12-/)).toBeVisible();
});
