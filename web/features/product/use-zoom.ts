/** Zooming, moving, turning and closing the image in the viewer by mouse, wheel and fingers. */
import {
  type Dispatch,
  type PointerEvent,
  type RefObject,
  type SetStateAction,
  useEffect,
  useRef,
  useState,
} from 'react';

/** A press that moves less than this (px) is a tap. */
const tapPx = 8;
const doubleTap = { ms: 350, px: 40 };
const closerScale = 2;
/** How far (px) a swipe goes until it turns to the next image, or closes. */
const swipePx = { turn: 60, close: 110 };
const still: Point = { x: 0, y: 0 };

interface ZoomActions {
  /** Shows another image: 1 for the next, -1 for the previous. */
  onTurn: (by: number) => void;
  onClose: () => void;
}

/** `stage` fills the window; its first child is the image. */
export function useZoom(stage: RefObject<HTMLElement | null>, { onTurn, onClose }: ZoomActions) {
  const [view, setView] = useState<ZoomView>(wholeImage);
  const [swipe, setSwipe] = useState(still);
  const [held, setHeld] = useState(false);
  const lastTap = useRef<(Point & { at: number }) | null>(null);
  const zoomTo = (scale: number, point?: Point) =>
    setView((now) => zoomAt(now, scale, roomOf(stage.current), point && [point]));
  useWheel(stage, setView);

  const tap = (point: Point, at: number) => {
    const last = lastTap.current;
    const twice = last && at - last.at < doubleTap.ms && distance(last, point) < doubleTap.px;
    lastTap.current = twice ? null : { ...point, at };
    if (twice) zoomTo(view.scale > 1 ? 1 : closerScale, point);
  };
  const follow = ({ from, to, before }: Drag<ZoomView>) => {
    const room = roomOf(stage.current);
    const [first, second] = from;
    const [firstTo, secondTo] = to;
    if (!first || !firstTo) return;
    if (second && secondTo) setView(pinch(before, room, [first, second], [firstTo, secondTo]));
    else if (before.scale === 1) setSwipe(swiped(first, firstTo));
    else
      setView(
        clampView({ ...before, x: before.x + firstTo.x - first.x, y: before.y + firstTo.y - first.y }, room),
      );
  };
  const release = (from: Point, to: Point, at: number) => {
    if (distance(from, to) < tapPx) tap(to, at);
    if (swipe.y > swipePx.close) return onClose();
    if (Math.abs(swipe.x) > swipePx.turn) onTurn(swipe.x < 0 ? 1 : -1);
    setSwipe(still);
  };

  return {
    view,
    swipe,
    /** Whether a pointer is down: the image then follows it without delay. */
    held,
    zoomTo,
    move: (x: number, y: number) =>
      setView((now) => clampView({ ...now, x: now.x + x, y: now.y + y }, roomOf(stage.current))),
    reset: () => setView(wholeImage),
    handlers: usePointers(stage, view, {
      onHold: setHeld,
      onDrag: follow,
      onRelease: release,
      onCancel: () => setSwipe(still),
    }),
  };
}

function useWheel(stage: RefObject<HTMLElement | null>, setView: Dispatch<SetStateAction<ZoomView>>) {
  useEffect(() => {
    const { current } = stage;
    // React's own wheel listeners cannot prevent the browser from scrolling or zooming the page.
    const wheel = (event: WheelEvent) => {
      event.preventDefault();
      // A trackpad sends pinches as wheel events with Ctrl; some mice count lines rather than px.
      const step = event.ctrlKey ? 0.01 : event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 0.002 : 0.06;
      setView((now) =>
        zoomAt(now, now.scale * Math.exp(-event.deltaY * step), roomOf(current), [pointOf(event, current)]),
      );
    };
    current?.addEventListener('wheel', wheel, { passive: false });
    return () => current?.removeEventListener('wheel', wheel);
  }, [stage, setView]);
}

/** A swipe follows one direction: sideways, or down. */
function swiped(from: Point, to: Point): Point {
  const [x, y] = [to.x - from.x, to.y - from.y];
  return Math.abs(x) > Math.abs(y) ? { x, y: 0 } : { x: 0, y: Math.max(0, y) };
}

function roomOf(stage: HTMLElement | null): ZoomRoom {
  const { clientWidth: width = 0, clientHeight: height = 0 } = stage ?? {};
  const image = stage?.firstElementChild;
  return { width, height, edge: image instanceof HTMLElement ? image.offsetWidth : 0 };
}

/** Where the pointers were when their number last changed, where they are now, and the state at that time. */
interface Drag<State> {
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
function usePointers<State>(
  stage: RefObject<HTMLElement | null>,
  state: State,
  actions: PointerActions<State>,
) {
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
  const put = (event: PointerEvent) =>
    press.current.points.set(event.pointerId, pointOf(event, stage.current));
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

function pointOf(
  { clientX, clientY }: { clientX: number; clientY: number },
  stage: HTMLElement | null,
): Point {
  const { clientWidth = 0, clientHeight = 0 } = stage ?? {};
  return { x: clientX - clientWidth / 2, y: clientY - clientHeight / 2 };
}

interface Point {
  x: number;
  y: number;
}

/** How an image is shown: its scale (1 fits the window), and the offset of its centre. */
interface ZoomView extends Point {
  scale: number;
}

/** The size of the window, and the edge of the square that the image fills at scale 1, in px. */
interface ZoomRoom {
  width: number;
  height: number;
  edge: number;
}

export const wholeImage: ZoomView = { scale: 1, x: 0, y: 0 };
export const largestScale = 3;

/** Moves an image back over the window: its edge goes no further inside than the window's, and a smaller image is centred. */
export function clampView({ scale, x, y }: ZoomView, { width, height, edge }: ZoomRoom): ZoomView {
  const size = Math.min(largestScale, Math.max(1, scale));
  const within = (offset: number, room: number) => {
    const most = Math.max(0, (edge * size - room) / 2);
    return Math.min(most, Math.max(-most, offset));
  };
  return { scale: size, x: within(x, width), y: within(y, height) };
}

/** Changes the scale so that what is under the first point is under the second afterwards, as far as the image covers the window. */
export function zoomAt(
  view: ZoomView,
  scale: number,
  room: ZoomRoom,
  [from = { x: 0, y: 0 }, to = from]: Point[] = [],
): ZoomView {
  const size = Math.min(largestScale, Math.max(1, scale));
  const ratio = size / view.scale;
  return clampView(
    { scale: size, x: to.x - (from.x - view.x) * ratio, y: to.y - (from.y - view.y) * ratio },
    room,
  );
}

/** Follows two fingers that began at `before` and are at `after`: the image keeps what lies between them. */
export function pinch(
  view: ZoomView,
  room: ZoomRoom,
  before: readonly [Point, Point],
  after: readonly [Point, Point],
): ZoomView {
  return zoomAt(view, (view.scale * distance(...after)) / distance(...before), room, [
    middle(...before),
    middle(...after),
  ]);
}

function distance(a: Point, b: Point): number {
  return Math.max(1, Math.hypot(a.x - b.x, a.y - b.y));
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}
