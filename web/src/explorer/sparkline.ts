import { density, type Limits } from "../shared/density";

/** A density as a small picture: by the rule of the large one, without an axis. */
export function sparkline(ordered: Float64Array, domain: [number, number], limits: Limits, marks: { median?: number; outcome?: number } = {}): string {
  const [low, high] = domain;
  const { x, y, spikes, spikeWidth, top } = density(ordered, domain, limits, 120);
  const place = (value: number) => ((119 * (value - low)) / (high - low || 1)).toFixed(1);
  const up = (height: number) => (30 - (28 * height) / (top || 1)).toFixed(1);
  const curve = Array.from(x, (value, i) => `${place(value)},${up(y[i]!)}`).join("L");
  const area = curve && `M${place(x[0]!)},30L${curve}V30Z`;
  const bars = spikes.map((one) => `M${place(one.value)},30V${up(one.share / spikeWidth)}h1V30Z`).join("");
  const rule = (name: string, at: number | undefined) => at === undefined || !(at >= low && at <= high) ? ""
    : `<line class="${name}" x1="${place(at)}" x2="${place(at)}" y1="0" y2="30" />`;
  return `<svg viewBox="0 0 119 30" preserveAspectRatio="none" aria-hidden="true"><path d="${area}${bars}" />` +
    `${rule("median", marks.median)}${rule("observed", marks.outcome)}</svg>`;
}
