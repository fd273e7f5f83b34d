/** What a page computes from draws. */

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
export function bandwidth(ordered: Float64Array, least: number): number {
  const spread = standardDeviation(ordered);
  const middle = (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / 1.34;
  const width = middle > 0 ? Math.min(spread, middle) : spread;
  return Math.max(0.9 * width * ordered.length ** -0.2, least);
}

export interface Curve {
  x: Float64Array;
  y: Float64Array;
}

/** Gaussian kernel density of draws on a grid, by linear binning: cheap enough for every frame. */
export function density(ordered: Float64Array, low: number, high: number, cells = 280): Curve {
  const step = (high - low) / (cells - 1);
  const width = bandwidth(ordered, step);
  const bins = new Float64Array(cells);
  for (const draw of ordered) {
    const at = (draw - low) / step;
    const cell = Math.floor(at);
    if (cell < -1 || cell >= cells) continue;
    const share = at - cell;
    if (cell >= 0) bins[cell]! += 1 - share;
    if (cell + 1 < cells) bins[cell + 1]! += share;
  }
  const reach = Math.ceil((4 * width) / step);
  const kernel = Float64Array.from({ length: reach + 1 }, (_, i) => Math.exp(-0.5 * ((i * step) / width) ** 2));
  const scale = 1 / (ordered.length * width * Math.sqrt(2 * Math.PI));
  const x = new Float64Array(cells);
  const y = new Float64Array(cells);
  for (let i = 0; i < cells; ++i) {
    x[i] = low + i * step;
    if (bins[i] === 0) continue;
    for (let j = Math.max(0, i - reach); j <= Math.min(cells - 1, i + reach); ++j)
      y[j]! += bins[i]! * kernel[Math.abs(i - j)]! * scale;
  }
  return { x, y };
}

/** The same in two dimensions, row by row from the bottom, on a square grid. */
export function density2d(
  xs: ArrayLike<number>, ys: ArrayLike<number>, xRange: [number, number], yRange: [number, number], cells = 56): Float64Array {
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
    Math.min(4, Math.max(0.9, (bandwidth(sorted(values), step) * 0.6) / step)); // two axes together blur more than one
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
