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

/** The same in two dimensions, row by row from the bottom, on a square grid. */
export function density2d(
  xs: ArrayLike<number>, ys: ArrayLike<number>, xRange: [number, number], yRange: [number, number], cells = 96): Float64Array {
  const bins = new Float64Array(cells * cells);
  const xStep = (xRange[1] - xRange[0]) / cells;
  const yStep = (yRange[1] - yRange[0]) / cells;
  for (let i = 0; i < xs.length; ++i) {
    const column = Math.floor((xs[i]! - xRange[0]) / xStep);
    const row = Math.floor((ys[i]! - yRange[0]) / yStep);
    if (column >= 0 && column < cells && row >= 0 && row < cells) bins[row * cells + column]! += 1;
  }
  const blur = (from: Float64Array, stride: number, line: number, sd: number): Float64Array => {
    const reach = Math.ceil(3 * sd);
    const kernel = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp(-0.5 * (i / sd) ** 2));
    const to = new Float64Array(from.length);
    for (let l = 0; l < cells; ++l)
      for (let i = 0; i < cells; ++i) {
        const value = from[l * line + i * stride]!;
        if (value === 0) continue;
        for (let j = Math.max(0, i - reach); j <= Math.min(cells - 1, i + reach); ++j)
          to[l * line + j * stride]! += value * kernel[Math.abs(i - j)]!;
      }
    return to;
  };
  const sdOf = (values: ArrayLike<number>, step: number) =>
    Math.min(cells / 10, Math.max(1.5, bandwidth(sorted(values)) / step));
  return blur(blur(bins, 1, cells, sdOf(xs, xStep)), cells, 1, sdOf(ys, yStep));
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
