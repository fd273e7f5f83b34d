import { expect, test } from "@playwright/test";
import type { ScoredSlice } from "../src/report/data";
import { coverageCell, kFewRows } from "../src/report/slice_map";
import { shareText, withError } from "../src/report/sources";
import { reliabilityGroups } from "../src/report/threshold_charts";
import { againstLazy } from "../src/report/thresholds";
import { chanceAbove, density, density2d, quantile, sorted, type Limits } from "../src/shared/density";
import { areNames, counted, dateText, estimateFormat, forecastFormat, formatterFor, leastStep, listed, percent, percentChange, percentsAlike, plainNumber, points, rangeText, roundTicks, signed, ticksFor, wholeNumber } from "../src/shared/format";
import { readFileSync } from "node:fs";

interface DensityCase {
  name: string;
  samples: number[];
  limits: Limits;
  domain: [number, number];
  points: number;
  bars: boolean;
  bandwidth: number;
  spike_width: number;
  spikes: [number, number][];
  x: number[];
  y: number[];
}
const cases: DensityCase[] = JSON.parse(readFileSync(new URL("../../tests/predictive/density_cases.json", import.meta.url), "utf8"));

test("numbers are written as a person would", () => {
  expect(formatterFor(4.85)(2.0567)).toBe("2.06");
  expect(formatterFor(7_600_000)(221900.4)).toBe("221,900");
  expect(formatterFor(99)(37.88)).toBe("37.9");
  expect([formatterFor(5000)(1955), formatterFor(120)(1955)]).toEqual(["1,955", "1955"]); // an amount and a year
  expect([ticksFor([0, 15000])(5000), ticksFor([1950, 2010])(2000), plainNumber(9100, 20000), wholeNumber(1640, 4000)]).toEqual(["5,000", "2000", "9,100", "1,640"]);
  expect([0.024, 0.16].map(percentsAlike([0.024, 0.16]))).toEqual(["2%", "16%"]);
  expect([0.024, 0.0601, 0.0001].map(percentsAlike([0.024, 0.0601]))).toEqual(["2.4%", "6.0%", "<0.1%"]);
  expect([percentsAlike([0.997])(0.997), percentsAlike([1])(1), percentsAlike([0.5])(0.001)]).toEqual(["99.7%", "100%", "<1%"]);
  expect(formatterFor(10)(-122.234)).toBe("−122.23");
  expect(formatterFor(0.002)(0.0013021)).toBe("0.00130");
  expect(formatterFor(1e-7)(9.81e-8)).toBe("9.81 × 10⁻⁸");
  expect(formatterFor(10)(-0.0001)).toBe("0.00");
  expect(formatterFor(10)(NaN)).toBe("–");
  expect(plainNumber(0)).toBe("0");
  expect(plainNumber(3.14159)).toBe("3.142");
  expect(plainNumber(12345.6)).toBe("12,346");
  expect(plainNumber(0.5)).toBe("0.5");
  expect(plainNumber(-2e-7)).toBe("−2.00 × 10⁻⁷");
  expect([wholeNumber(1007100110), wholeNumber(2006), wholeNumber(-5)]).toEqual(["1,007,100,110", "2006", "−5"]);
  expect([percent(0), percent(0.0004), percent(0.043), percent(0.5), percent(0.9995), percent(1)]).toEqual(
    ["0%", "<0.1%", "4.3%", "50%", ">99.9%", "100%"]);
  expect([0.8134, -0.8134, 0.042, 0.998].map(percentChange)).toEqual(["81%", "−81%", "4.2%", "99.8%"]);
  expect([estimateFormat(80_000)(96_353), estimateFormat(80_000)(12), estimateFormat(4)(2.0567), estimateFormat(900)(96_353)]).toEqual(["96,400", "0", "2.06", "96,353"]);
  expect([areNames(98001, 98199), areNames(905_300_000, 907_000_000), areNames(600, 900_000), areNames(1900, 2015)]).toEqual([true, true, false, false]);
  expect([points(0.042), points(-0.31), points(0)]).toEqual(["+4.2", "−31", "0.0"]);
  expect([signed("2"), signed("−2"), signed("0.00")]).toEqual(["+2", "−2", "0.00"]);
  expect([counted(1, "row"), counted(1234, "row")]).toEqual(["1 row", "1,234 rows"]);
});

test("an error has two digits at most, and all numbers of a table have as many decimals", () => {
  expect([withError(0.592, 0.04, 0.67), withError(0.0172, 0.0025, 0.67), withError(0.826, 0, 0.9)]).toEqual([["0.592", "0.080"], ["0.017", "0.005"], ["0.826", ""]]);
  expect([withError(10_137, 850, 12_000), withError(447, 70, 12_000)]).toEqual([["10,100", "1,700"], ["450", "140"]]);
  expect([rangeText(-0.3002, 7.7), rangeText(0.14999, 5.00001), rangeText(12789, 755000)]).toEqual(["−0.3 to 7.7", "0.15 to 5", "12,789 to 755,000"]);
});

test("what is too small to be shown is below the least number that is", () => {
  for (const range of [0.3, 12, 900, 20_000, 3e6]) {
    const format = estimateFormat(range), least = leastStep(range);
    expect(format(least), String(range)).toMatch(/[1-9]/);
    expect(format(0.4 * least), String(range)).not.toMatch(/[1-9]/);
  }
});

test("forecasts without width have the digits of their target", () => {
  expect(forecastFormat([5, 5, 5], "value", null, 4.2)(5.00001)).toBe("5.00");
  expect([forecastFormat([3, 3, 3], "value", 0, 40)(3), forecastFormat([0, 0, 0], "mean", 0, 2)(0.06092)]).toEqual(["3", "0.0609"]);
});

test("numbers on an axis are round, and stand beside each other", () => {
  expect(roundTicks([0, 1], 600)).toEqual([0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1].filter((_, i) => i % 2 === 0));
  expect(roundTicks([-11800, 12100], 210)).toEqual([-10000, 0, 10000]);
  expect(roundTicks([526e6, 925e6], 220)).toEqual([600e6, 800e6]);
  expect(roundTicks([3, 3], 200)).toEqual([3]);
  expect(roundTicks([-41_000, 39_000], 190)).toEqual([-40_000, 0]); // 0 alone says nothing
  expect(roundTicks([130_000, 760_000], 150)).toEqual([200_000, 600_000]);
  expect(roundTicks([-0.2, 3.4], 300, undefined, 0)).toEqual([0, 1, 2, 3]); // counts
  for (const width of [150, 300, 800])
    for (const domain of [[0, 5], [-122.5, -121.9], [0, 755000], [1e-7, 3e-7], [1990, 2010]] as [number, number][]) {
      const made = roundTicks(domain, width), format = (value: number) => formatterFor(domain[1] - domain[0])(value);
      expect(made.length, `${domain} on ${width}`).toBeGreaterThan(1);
      if (made.length > 2) expect(((made[1]! - made[0]!) / (domain[1] - domain[0])) * width).toBeGreaterThan(6 * Math.min(...made.map((one) => format(one).length)));
    }
});

test("acting by the forecast can cost more than never acting, and then it says so", () => {
  expect([againstLazy(-0.79, "never"), againstLazy(0.274, "never"), againstLazy(1.2, "always"), againstLazy(0.0001, "never")]).toEqual(
    ["79% less than the better of always and never acting", "27% more than never acting", "120% more than always acting", "as much as never acting"]);
});

test("a part of few rows has no colour", () => {
  const slice = { rows: kFewRows - 1, coverage: 0, mass: 0.9, words: "" } as ScoredSlice;
  expect([coverageCell(0, "x", 0, slice).few, coverageCell(0, "x", 0, { ...slice, rows: kFewRows }).few]).toEqual([true, false]);
});

test("what a forecast comes from is named", () => {
  expect([listed(["the networks", false, "the neighbours"]), listed(["a", "b", "c"]), listed(["a"])]).toEqual(["the networks and the neighbours", "a, b and c", "a"]);
  expect([shareText([0.1]), shareText([0, 0.25]), shareText([0, 0])]).toEqual(["10%", "0% to 25%", ""]);
});

test("a dot of the reliability has enough rows", () => {
  const rows = [400, 9, 0, 3, 1, 0, 12, 8, 2, 67], events = [2, 1, 0, 0, 1, 0, 6, 5, 2, 66];
  const groups = reliabilityGroups({ at: 1, rows, events, probability: rows.map((_, i) => 0.05 + i / 10) });
  expect(groups.map((one) => one.rows)).toEqual([400, 25, 77]);
  expect(groups.map((one) => one.above)).toEqual([2, 8, 73]);
  expect(groups[1]!.probability).toBeCloseTo((9 * 0.15 + 3 * 0.35 + 0.45 + 12 * 0.65) / 25, 9);
});

test("dates are as fine as their span needs", () => {
  const noon = 1709164800 + 12 * 3600, day = 86400;
  expect([dateText(noon, 365 * day), dateText(noon + 59, 3 * day), dateText(noon + 5, 3600), dateText(noon + 12 * 3600 - 1, 365 * day)]).toEqual(
    ["2024-02-29", "2024-02-29 12:01", "2024-02-29 12:00:05", "2024-02-29"]);
  expect(dateText(1e30, day)).toBe("1.00 × 10³⁰");
});

test("densities are those of the library, case by case", () => {
  for (const one of cases) {
    const found = density(sorted(one.samples), one.domain, one.limits, one.points);
    expect.soft([found.bars, found.spikes.map(({ value, share }) => [value, share])], one.name).toEqual([one.bars, one.spikes]);
    expect.soft(found.bandwidth, one.name).toBeCloseTo(one.bandwidth, 10);
    expect.soft(found.spikeWidth / one.spike_width, one.name).toBeCloseTo(1, 10);
    expect.soft([...found.x.slice(0, 1), ...found.x.slice(-1)], one.name).toEqual(one.x);
    const peak = Math.max(...one.y);
    expect.soft(found.y.length, one.name).toBe(one.y.length);
    one.y.forEach((y, i) => expect.soft(Math.abs(found.y[i]! - y), `${one.name}, point ${i}`).toBeLessThan(1e-6 * peak));
  }
});

test("no area lies where no sample can, and a cap is no bell", () => {
  const shape = (name: string, limited: boolean) => {
    const { samples, limits } = cases.find((one) => one.name === name)!;
    return density(sorted(samples), [-20, 200], limited ? limits : [null, null], 20000);
  };
  const area = ({ x, y }: { x: Float64Array; y: Float64Array }, inside: (at: number) => boolean) =>
    y.reduce((sum, value, i) => sum + (inside(x[i]!) ? value : 0), 0) * (x[1]! - x[0]!);
  expect(area(shape("0 kelvin", false), (at) => at < 0)).toBeCloseTo(0.09, 2);
  expect(area(shape("0 kelvin", true), (at) => at < 0)).toBe(0);
  expect(area(shape("0 kelvin", true), () => true)).toBeCloseTo(1, 2);
  const cap = shape("24% at the cap", true);
  expect(cap.spikes).toEqual([{ value: 5.00001, share: 0.24 }]);
  expect(area(cap, (at) => at > 5.00001)).toBe(0);
  expect(area(cap, () => true)).toBeCloseTo(0.76, 2);
});

test("contours are above as many samples as they say, and a lone sample is no island", () => {
  let state = 5;
  const next = () => ((state = (state * 1103515245 + 12345) % 2147483648) / 2147483648) - 0.5;
  const normal = () => next() + next() + next() + next() + next() + next();
  // Nine in ten samples lie close together, the others far apart.
  const xs = Array.from({ length: 1000 }, (_, i) => (i % 10 ? 0.3 * normal() : 12 * next()));
  const ys = Array.from({ length: 1000 }, (_, i) => (i % 10 ? 0.3 * normal() : 12 * next()));
  const cells = 96, { grid, at } = density2d(xs, ys, [-5, 5], [-5, 5], cells);
  const level = Float64Array.from(at).sort().reverse()[949]!;
  expect(at.filter((value) => value >= level).length / 1000).toBeCloseTo(0.95, 2);
  expect(at.filter((_, i) => Math.max(Math.abs(xs[i]!), Math.abs(ys[i]!)) > 5).every((value) => value === 0)).toBe(true);
  // Pieces of what lies above the level.
  const left = new Set(Array.from(grid.keys()).filter((cell) => grid[cell]! >= level));
  let pieces = 0;
  for (const start of left) {
    ++pieces;
    for (const queue = [start]; queue.length > 0;) {
      const cell = queue.pop()!;
      if (!left.delete(cell)) continue;
      queue.push(cell - cells, cell + cells, ...(cell % cells > 0 ? [cell - 1] : []), ...(cell % cells < cells - 1 ? [cell + 1] : []));
    }
  }
  expect(pieces).toBeLessThan(8); // forty and more samples lie apart
});

test("quantiles and chances are those of the draws", () => {
  const a = sorted([3, 1, 2, 5, 4]);
  expect([quantile(a, 0), quantile(a, 0.5), quantile(a, 0.9), quantile(a, 1)]).toEqual([1, 3, 4.6, 5]);
  const b = sorted([2, 2, 6]);
  let slow = 0;
  for (const x of a) for (const y of b) slow += x > y ? 1 : x === y ? 0.5 : 0;
  expect(chanceAbove(a, b)).toBeCloseTo(slow / 15, 12);
});
