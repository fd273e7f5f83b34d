/** What is used of d3-time, which Observable Plot brings along. */
declare module "d3-time" {
  export function utcTicks(start: Date, stop: Date, count: number): Date[];
}
