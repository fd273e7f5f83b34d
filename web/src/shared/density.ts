/** What a page computes from samples. */

export const sorted = (values: ArrayLike<number>): Float64Array => Float64Array.from(values).sort();

/** By linear interpolation between order statistics, as the library does. */
export function quantile(ordered: ArrayLike<number>, level: number): number {
  const at = level * (ordered.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, ordered.length - 1);
  return ordered[low]! + (at - low) * (ordered[high]! - ordered[low]!);
}

export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; ++i) sum += values[i]!;
  return sum / values.length;
}

export function standardDeviation(values: ArrayLike<number>): number {
  const middle = mean(values);
  let sum = 0;
  for (let i = 0; i < values.length; ++i) sum += (values[i]! - middle) ** 2;
  return values.length > 1 ? Math.sqrt(sum / (values.length - 1)) : 0;
}

/** Silverman's rule: 0.9 min(sd, IQR / 1.34) n^(-1/5); it leaves several peaks apart where Scott's would join them. */
export function bandwidth(ordered: ArrayLike<number>): number {
  if (ordered.length < 2) return 0;
  const spread = standardDeviation(ordered);
  const middle = (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / 1.34;
  return 0.9 * (middle > 0 ? Math.min(spread, middle) : spread) * ordered.length ** -0.2;
}

export interface Curve {
  x: Float64Array;
  y: Float64Array;
}

/** The range that samples of a target can have; null where nothing limits them. */
export type Limits = [low: number | null, high: number | null];

/** A value that many samples are equal to, and the share of them. */
export interface Spike {
  value: number;
  share: number;
}

/** The density of samples as it is drawn. The rule is that of include/mirrorball/density.h, and its constants are explained in
 * src/predictive/density.cc; tests/predictive/density_cases.json holds both to the same numbers. */
export interface Density extends Curve {
  /** Repeated values, in ascending order; the curve is of the other samples. */
  spikes: Spike[];
  /** Few values hold nearly all samples: spikes are bars beside each other. */
  bars: boolean;
  /** A spike of share s is drawn s / spikeWidth high. */
  spikeWidth: number;
  bandwidth: number;
  /** The greatest height of curve and spikes. */
  top: number;
}

const kLimitShare = 0.02, kSpikeShare = 0.05, kSpikeSamples = 5;
const kBarsShare = 0.9, kBarShare = 0.005, kMostBars = 40, kSamplesPerBar = 4, kLoneBar = 0.05, kNarrowBar = 1e-4;
const kReach = 6, kRoot2Pi = Math.sqrt(2 * Math.PI);

/** Different values of samples in ascending order, and how many samples have each. */
interface Counted {
  values: Float64Array;
  counts: Float64Array;
}

function counted(ordered: Float64Array): Counted {
  const values = new Float64Array(ordered.length), counts = new Float64Array(ordered.length);
  let size = 0;
  for (const value of ordered) {
    if (size === 0 || values[size - 1] !== value) values[size++] = value;
    counts[size - 1]! += 1;
  }
  return { values: values.subarray(0, size), counts: counts.subarray(0, size) };
}

/** Which values are spikes, and of bars their width: the least distance of two of the most frequent. */
function findSpikes(all: Counted, total: number, limits: Limits, width: number): { isSpike: (i: number) => boolean; bars: boolean; barWidth: number } {
  const { values, counts } = all;
  const down = Float64Array.from(counts).sort().reverse();
  let held = 0, few = 0;
  while (held < kBarsShare * total) held += down[few++]!;
  const least = down[few - 1]!;
  if (few <= Math.min(kMostBars, Math.max(1, Math.floor(total / kSamplesPerBar))) && (few === 1 || least >= Math.max(2, kBarShare * total))) {
    const main = values.filter((_, i) => counts[i]! >= least);
    let barWidth = Infinity;
    for (let i = 1; i < main.length; ++i) barWidth = Math.min(barWidth, main[i]! - main[i - 1]!);
    if (barWidth >= kNarrowBar * (values.at(-1)! - values[0]!))
      return { isSpike: (i) => counts[i]! >= Math.min(2, least), bars: true, barWidth: Number.isFinite(barWidth) ? barWidth : 0 };
  }
  const atLimit = (i: number) => limits.includes(values[i]!);
  const enough = (i: number) => counts[i]! >= Math.max((atLimit(i) ? kLimitShare : kSpikeShare) * total, kSpikeSamples);
  const standsOut = (i: number) => atLimit(i) ||
    counts[i]! >= reflectedSum(all, limits[0] ?? -Infinity, limits[1] ?? Infinity, values[i]!, width) - counts[i]!;
  return { isSpike: (i) => enough(i) && standsOut(i), bars: false, barWidth: 0 };
}

/** Of samples in ascending order, at `points` places from low to high or to the limits. A repeated value at the end of the samples is a
 * limit where none is known. */
export function density(ordered: Float64Array, [low, high]: [number, number], limits: Limits = [null, null], points = 280): Density {
  const total = ordered.length;
  const all = counted(ordered);
  const { isSpike, bars, barWidth } = findSpikes(all, total, limits, bandwidth(ordered));
  const spikes: Spike[] = [];
  all.values.forEach((value, i) => isSpike(i) && spikes.push({ value, share: all.counts[i]! / total }));
  const spiky = new Set(spikes.map((one) => one.value));
  const rest = { values: all.values.filter((value) => !spiky.has(value)), counts: all.counts.filter((_, i) => !spiky.has(all.values[i]!)) };
  const width = bandwidth(ordered.filter((value) => !spiky.has(value)));

  const first = ordered[0]!, last = ordered[total - 1]!;
  const lowest = Math.min(limits[0] ?? (spiky.has(first) ? first : -Infinity), first);
  const highest = Math.max(limits[1] ?? (spiky.has(last) ? last : Infinity), last);
  const from = Math.max(low, lowest), to = Math.min(high, highest);
  const step = Math.max(0, to - from) / (points - 1);
  const bar = barWidth > 0 ? barWidth : kLoneBar * (high - low);
  const kernel = Math.max(width, step, bars ? bar / 2 : 0);
  const spikeWidth = bars ? bar : kRoot2Pi * kernel;

  const size = rest.values.length > 0 && step > 0 ? points : 0;
  const x = Float64Array.from({ length: size }, (_, i) => i + 1 === size ? to : from + i * step);
  const y = x.map((at) => reflectedSum(rest, lowest, highest, at, kernel) / (total * kernel * kRoot2Pi));
  const top = Math.max(y.reduce((a, b) => Math.max(a, b), 0), ...spikes.map((one) => one.share / spikeWidth));
  return { x, y, spikes, bars, spikeWidth, bandwidth: width, top };
}

/** Σ exp(−u²/2) over the values within six widths. */
function kernelSum({ values, counts }: Counted, centre: number, width: number): number {
  if (!Number.isFinite(centre)) return 0;
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle]! < centre - kReach * width) low = middle + 1;
    else high = middle;
  }
  let sum = 0;
  for (let i = low; i < values.length && values[i]! <= centre + kReach * width; ++i) {
    const u = (values[i]! - centre) / width;
    sum += counts[i]! * Math.exp(-0.5 * u * u);
  }
  return sum;
}

/** Of the values, and of their mirror images behind both limits. */
const reflectedSum = (all: Counted, low: number, high: number, at: number, width: number): number =>
  kernelSum(all, at, width) + kernelSum(all, 2 * low - at, width) + kernelSum(all, 2 * high - at, width);

/** Kernels of the joint density, as multiples of the narrowest: where samples are few, they are wider. */
const kWidths = [1, 1.4, 2, 2.8, 4];

export interface Density2d {
  /** Row by row from the bottom, on a square grid. */
  grid: Float64Array;
  /** At each sample; 0 outside the frame. */
  at: Float64Array;
}

/** The same in two dimensions. A kernel's width goes with the inverse square root of the density that kernels of equal widths find
 * (Abramson 1982): a sample or two far from all others are no island. */
export function density2d(
  xs: ArrayLike<number>, ys: ArrayLike<number>, xRange: [number, number], yRange: [number, number], cells = 96): Density2d {
  const xStep = (xRange[1] - xRange[0]) / cells;
  const yStep = (yRange[1] - yRange[0]) / cells;
  const place = Int32Array.from({ length: xs.length }, (_, i) => {
    const column = Math.floor((xs[i]! - xRange[0]) / xStep), row = Math.floor((ys[i]! - yRange[0]) / yStep);
    return column >= 0 && column < cells && row >= 0 && row < cells ? row * cells + column : -1;
  });
  const sdOf = (values: ArrayLike<number>, step: number) =>
    Math.min(cells / 10, Math.max(1.5, bandwidth(sorted(values)) / step));
  const sds: [number, number] = [sdOf(xs, xStep), sdOf(ys, yStep)];
  const smooth = (takes: (i: number) => boolean, width: number): Float64Array => {
    const bins = new Float64Array(cells * cells);
    for (let i = 0; i < place.length; ++i) if (place[i]! >= 0 && takes(i)) bins[place[i]!]! += 1;
    return blurred(blurred(bins, 1, cells, width * sds[0], cells), cells, 1, width * sds[1], cells);
  };
  const valueAt = (grid: Float64Array) => Float64Array.from(place, (cell) => (cell >= 0 ? grid[cell]! : 0));
  const pilot = valueAt(smooth(() => true, 1));
  const inside = pilot.filter((value) => value > 0);
  const usual = Math.exp(inside.reduce((sum, value) => sum + Math.log(value), 0) / (inside.length || 1));
  const kinds = Int32Array.from(pilot, (value) => {
    const width = Math.sqrt(usual / (value || 1)), next = kWidths.findIndex((one) => one >= width);
    return next < 0 ? kWidths.length - 1 : next;
  });
  const grid = new Float64Array(cells * cells);
  for (const [kind, width] of kWidths.entries())
    if (kinds.includes(kind)) smooth((i) => kinds[i] === kind, width).forEach((value, i) => (grid[i]! += value));
  return { grid, at: valueAt(grid) };
}

/** Lines of a grid, `stride` apart from cell to cell and `line` from one to the next, smoothed by a Gaussian kernel of this deviation. */
function blurred(from: Float64Array, stride: number, line: number, sd: number, cells: number): Float64Array {
  const reach = Math.min(cells, Math.ceil(3 * sd));
  const kernel = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp(-0.5 * (i / sd) ** 2) / sd);
  const to = new Float64Array(from.length);
  for (let l = 0; l < cells; ++l)
    for (let i = 0; i < cells; ++i) {
      const value = from[l * line + i * stride]!;
      if (value === 0) continue;
      for (let j = Math.max(0, i - reach); j <= Math.min(cells - 1, i + reach); ++j)
        to[l * line + j * stride]! += value * kernel[Math.abs(i - j)]!;
    }
  return to;
}

/** The chance that an outcome of `a` is above one of `b`, drawn apart; ties count half. */
export function chanceAbove(a: Float64Array, b: Float64Array): number {
  let below = 0;
  let ties = 0;
  let sum = 0;
  for (const value of a) {
    while (below < b.length && b[below]! < value) ++below;
    ties = Math.max(ties, below);
    while (ties < b.length && b[ties]! <= value) ++ties;
    sum += below + 0.5 * (ties - below);
  }
  return sum / (a.length * b.length);
}
