/** Entries of a list are dragged by a grip, with a mouse, a pen or a finger. Keys and `Mover` do the same without it. */
import { type CSSProperties, type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { cx } from '#ui/cx.ts';
import { Icon } from '#ui/icon.tsx';
import { useLanguage } from './i18n.tsx';

interface Drag {
  /** The place of the entry that is dragged, and the one it would have. */
  from: number;
  to: number;
  /** Of the pointer, since it was pressed, px. */
  dx: number;
  dy: number;
}

interface Start {
  x: number;
  /** On the page, which may be scrolled meanwhile. */
  y: number;
}

/** Within which the page scrolls, px from the edge of the window, and by how much every `scrollMs`. */
const edgePx = 90;
const scrollPx = 14;
const scrollMs = 16;
/** A press that does not move is none, px. */
const leastPx = 4;

/** `onDrop` gets the place that it had, that among the others where it was let go, and how far it was dragged sideways, px. */
export function useDragging(
  list: RefObject<HTMLElement | null>,
  onDrop: (from: number, to: number, dx: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const start = useRef<Start | null>(null);
  const pointer = useRef({ x: 0, y: 0 });
  const from = drag?.from ?? null;
  const follow = (place: number) => {
    if (!start.current) return;
    const dx = pointer.current.x - start.current.x;
    const dy = pointer.current.y + scrollY - start.current.y;
    setDrag((before) => {
      if (!before && Math.hypot(dx, dy) < leastPx) return null;
      return { from: place, to: placeAt(list.current, place, pointer.current.y), dx, dy };
    });
  };
  const end = () => {
    start.current = null;
    setDrag(null);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: as long as the same entry is dragged
  useEffect(() => {
    if (from === null) return;
    const scroll = setInterval(() => {
      const { y } = pointer.current;
      const by = y < edgePx ? -scrollPx : y > innerHeight - edgePx ? scrollPx : 0;
      if (by === 0) return;
      scrollBy({ top: by, behavior: 'instant' });
      follow(from);
    }, scrollMs);
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      event.stopPropagation();
      end();
    };
    document.addEventListener('keydown', onKeyDown, true);
    return () => {
      clearInterval(scroll);
      document.removeEventListener('keydown', onKeyDown, true);
    };
  }, [from]);
  return {
    drag,
    gripOf: (place: number) => ({
      onPointerDown(event: PointerEvent<HTMLElement>) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        pointer.current = { x: event.clientX, y: event.clientY };
        start.current = { x: event.clientX, y: event.clientY + scrollY };
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        pointer.current = { x: event.clientX, y: event.clientY };
        follow(place);
      },
      onPointerUp() {
        end();
        if (drag) onDrop(drag.from, drag.to, drag.dx);
      },
      onPointerCancel: end,
    }),
    /** Of the entry in the list: it follows the pointer, and a line shows where it would be. */
    entryOf: (place: number, count: number): { className: string; style?: CSSProperties } => {
      if (!drag) return { className: '' };
      if (place === drag.from)
        return {
          className: 'relative z-20 bg-paper opacity-90 shadow-over',
          style: { translate: `0 ${drag.dy}px` },
        };
      const among = place < drag.from ? place : place - 1;
      return {
        className: cx(
          among === drag.to && 'before:absolute before:inset-x-0 before:-top-2 before:h-0.5 before:bg-action',
          among === count - 2 &&
            drag.to === count - 1 &&
            'after:absolute after:inset-x-0 after:-bottom-2 after:h-0.5 after:bg-action',
          'relative',
        ),
      };
    },
  };
}

/** How many of the others are above a height of the window. */
function placeAt(list: HTMLElement | null, dragged: number, y: number): number {
  const others = [...(list?.children ?? [])].filter((_, index) => index !== dragged);
  return others.filter((each) => {
    const { top, height } = each.getBoundingClientRect();
    return top + height / 2 < y;
  }).length;
}

const dots =
  'M8 6a1 1 0 1 0 2 0a1 1 0 1 0-2 0M8 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M8 18a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 6a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M14 18a1 1 0 1 0 2 0a1 1 0 1 0-2 0';

/** Nothing that can be focused: by keys, entries are moved otherwise. */
export function Grip(props: ReturnType<ReturnType<typeof useDragging>['gripOf']>) {
  const { t } = useLanguage();
  return (
    <span
      {...props}
      data-grip
      aria-hidden
      title={t('office.drag')}
      className="flex size-11 flex-none cursor-grab touch-none select-none items-center justify-center text-ink-soft hover:text-ink active:cursor-grabbing"
    >
      <Icon name={dots} size={20} />
    </span>
  );
}
