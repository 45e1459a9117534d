/** Follows the pointers that are down on an element, such as two fingers. */
import { type PointerEvent, type RefObject, useRef } from 'react';
import type { Point } from './zoom-geometry.ts';

/** Where the pointers were when their number last changed, where they are now, and the state at that time. */
export interface Drag<State> {
  from: readonly Point[];
  to: readonly Point[];
  before: State;
}

interface PointerActions<State> {
  /** Called with whether any pointer is down. */
  onHold: (held: boolean) => void;
  onDrag: (drag: Drag<State>) => void;
  /** Called at the end of a press by a single pointer, with its beginning, its end and its time in ms. */
  onRelease: (from: Point, to: Point, at: number) => void;
  /** Called when the browser takes a press over, or when one of several pointers is lifted. */
  onCancel: () => void;
}

interface Press<State> {
  points: Map<number, Point>;
  from: Point[];
  before: State;
  /** Whether several pointers took part in it. */
  several: boolean;
}

/** The event handlers of `stage`, which fills the window. `state` is what a drag changes. */
export function usePointers<State>(stage: RefObject<HTMLElement | null>, state: State, actions: PointerActions<State>) {
  const press = useRef<Press<State>>({ points: new Map(), from: [], before: state, several: false });
  const begin = () => {
    const { points, several } = press.current;
    press.current = {
      points,
      from: [...points.values()],
      before: state,
      several: points.size > 1 || (several && points.size > 0),
    };
  };
  const put = (event: PointerEvent) => press.current.points.set(event.pointerId, pointOf(event, stage.current));
  const lift = ({ pointerId }: PointerEvent) => {
    const known = press.current.points.delete(pointerId);
    if (known) actions.onHold(press.current.points.size > 0);
    return known;
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      put(event);
      actions.onHold(true);
      begin();
    },
    onPointerMove: (event: PointerEvent) => {
      const { points, from, before } = press.current;
      if (!points.has(event.pointerId)) return;
      put(event);
      actions.onDrag({ from, to: [...points.values()], before });
    },
    onPointerUp: (event: PointerEvent) => {
      const { from, several } = press.current;
      if (!lift(event)) return;
      const [start] = from;
      if (several) actions.onCancel();
      else if (start) actions.onRelease(start, pointOf(event, stage.current), event.timeStamp);
      begin();
    },
    onPointerCancel: (event: PointerEvent) => {
      if (!lift(event)) return;
      actions.onCancel();
      begin();
    },
  };
}

/** A position in the window from its centre, in px. */
export function pointOf({ clientX, clientY }: { clientX: number; clientY: number }, stage: HTMLElement | null): Point {
  const { clientWidth = 0, clientHeight = 0 } = stage ?? {};
  return { x: clientX - clientWidth / 2, y: clientY - clientHeight / 2 };
}
