import { h, put } from "./dom";
import type { Drawing, Scale } from "./plots";

/** A range per axis that is picked out; a line has one axis, a plane two. */
export type Ranges = [number, number][];

interface Axis {
  name: string;
  format: (value: number) => string;
  vertical: boolean;
}

/** Lets one pick out a part of a drawing, by dragging or with the keyboard: every edge is a slider that arrow keys move. The
 * drawing under it may be made anew at any time; the ranges are kept in the data's units. */
export class Brush {
  readonly element: HTMLDivElement;
  private ranges: Ranges | null = null;
  private drawing: Drawing | null = null;
  private readonly box = h("div", { class: "brush" });
  private readonly handles: { element: HTMLDivElement; axis: number; end: 0 | 1 }[] = [];

  /** `changed` gets the ranges, and whether the hand is still moving. */
  constructor(private readonly axes: Axis[], private readonly changed: (ranges: Ranges | null, moving: boolean) => void) {
    this.element = h("div", { class: axes.length > 1 ? "overlay plane" : "overlay" });
    for (let axis = 0; axis < axes.length; ++axis)
      for (const end of [0, 1] as const) {
        const element = h("div", { class: `handle ${axes[axis]!.vertical ? "vertical" : "horizontal"}`, role: "slider",
          tabIndex: 0, "aria-label": `${end === 0 ? "From" : "To"}, ${axes[axis]!.name}`,
          "aria-orientation": axes[axis]!.vertical ? "vertical" : "horizontal" });
        element.addEventListener("keydown", (event) => this.press(event, axis, end));
        element.addEventListener("pointerdown", (event) => this.drag(event, { axis, end }));
        this.handles.push({ element, axis, end });
      }
    this.box.addEventListener("pointerdown", (event) => this.drag(event, "move"));
    this.element.addEventListener("pointerdown", (event) => this.drag(event, "new"));
    put(this.element, this.box, ...this.handles.map((one) => one.element));
    this.place();
  }

  /** The drawing that lies under the brush now. */
  over(drawing: Drawing): void {
    this.drawing = drawing;
    this.place();
  }

  set(ranges: Ranges | null): void {
    this.ranges = ranges;
    this.place();
  }

  private scale(axis: number): Scale {
    return this.axes[axis]!.vertical ? this.drawing!.y : this.drawing!.x;
  }

  private place(): void {
    const shown = this.ranges !== null && this.drawing !== null;
    this.box.hidden = !shown;
    for (const one of this.handles) one.element.hidden = !shown;
    if (!shown) return;
    const pixels = this.axes.map((_, axis) => {
      const [a, b] = this.ranges![axis]!.map((value) => this.inside(axis, this.scale(axis).toPixel(value)));
      return [Math.min(a!, b!), Math.max(a!, b!)] as const;
    });
    const yRange = this.drawing!.y.range;
    const across = pixels[1] ?? [Math.min(...yRange), Math.max(...yRange)];
    const [left, right] = pixels[0]!;
    Object.assign(this.box.style, { left: `${left}px`, width: `${right - left}px`, top: `${across[0]}px`,
      height: `${across[1] - across[0]}px` });
    for (const { element, axis, end } of this.handles) {
      const scale = this.scale(axis);
      const value = this.ranges![axis]![end];
      const at = this.inside(axis, scale.toPixel(value));
      Object.assign(element.style, this.axes[axis]!.vertical
        ? { top: `${at}px`, left: `${left}px`, width: `${right - left}px` }
        : { left: `${at}px`, top: `${across[0]}px`, height: `${across[1] - across[0]}px` });
      element.setAttribute("aria-valuemin", String(Math.min(scale.domain[0], value)));
      element.setAttribute("aria-valuemax", String(Math.max(scale.domain[1], value)));
      element.setAttribute("aria-valuenow", String(value));
      element.setAttribute("aria-valuetext", this.axes[axis]!.format(value));
    }
  }

  private inside(axis: number, pixel: number): number {
    const range = this.scale(axis).range;
    return Math.max(Math.min(...range), Math.min(Math.max(...range), pixel));
  }

  private press(event: KeyboardEvent, axis: number, end: 0 | 1): void {
    const forward = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 8, PageDown: -8 }[event.key];
    const { domain } = this.scale(axis);
    const range = this.ranges![axis]!;
    if (event.key === "Escape") return this.give(null, false);
    const other = range[end === 0 ? 1 : 0];
    let value: number;
    if (forward !== undefined) value = range[end] + (forward * (domain[1] - domain[0])) / 100;
    else if (event.key === "Home") value = end === 0 ? domain[0] : other;
    else if (event.key === "End") value = end === 0 ? other : domain[1];
    else return;
    event.preventDefault();
    value = Math.max(domain[0], Math.min(domain[1], value));
    value = end === 0 ? Math.min(value, other) : Math.max(value, other);
    const ranges = this.ranges!.map((one) => [...one]) as Ranges;
    ranges[axis]![end] = value;
    this.give(ranges, false);
  }

  private drag(event: PointerEvent, what: "new" | "move" | { axis: number; end: 0 | 1 }): void {
    if (event.button !== 0 || !this.drawing) return;
    event.stopPropagation();
    const start = this.values(event);
    const before = this.ranges?.map((one) => [...one]) as Ranges | undefined;
    const pointer = event.pointerId;
    let moved = false;
    this.element.setPointerCapture(pointer);
    const ranges = (to: PointerEvent): Ranges => {
      const now = this.values(to);
      return this.axes.map((_, axis) => {
        const { domain } = this.scale(axis);
        if (what === "new") return [Math.min(start[axis]!, now[axis]!), Math.max(start[axis]!, now[axis]!)];
        const range = before![axis]!;
        if (what === "move") {
          const shift = Math.max(Math.min(0, domain[0] - range[0]), Math.min(Math.max(0, domain[1] - range[1]), now[axis]! - start[axis]!));
          return [range[0] + shift, range[1] + shift];
        }
        if (what.axis !== axis) return range;
        const edge: [number, number] = [range[0], range[1]];
        edge[what.end] = now[axis]!;
        return edge[0] <= edge[1] ? edge : [edge[1], edge[0]];
      });
    };
    const move = (to: PointerEvent) => {
      if (to.pointerId !== pointer) return;
      if (!moved && Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) < 4) return;
      moved = true;
      this.give(ranges(to), true);
    };
    const end = (to: PointerEvent) => {
      if (to.pointerId !== pointer) return;
      this.element.removeEventListener("pointermove", move);
      this.element.removeEventListener("pointerup", end);
      this.element.removeEventListener("pointercancel", end);
      if (moved) this.give(to.type === "pointerup" ? ranges(to) : this.ranges, false);
      else if (what === "new") this.give(null, false); // a click beside the brush takes it away
    };
    this.element.addEventListener("pointermove", move);
    this.element.addEventListener("pointerup", end);
    this.element.addEventListener("pointercancel", end);
  }

  private values(event: PointerEvent): number[] {
    const frame = this.element.getBoundingClientRect();
    return this.axes.map((axis, i) =>
      this.scale(i).toValue(this.inside(i, axis.vertical ? event.clientY - frame.top : event.clientX - frame.left)));
  }

  private give(ranges: Ranges | null, moving: boolean): void {
    this.set(ranges);
    this.changed(ranges, moving);
  }
}
