import { useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { cx } from './cx.ts';
import { Notice, type NoticeProps } from './notice.tsx';

const toastClass =
  'fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] z-40 mx-auto w-fit max-w-[30rem] animate-[rise_var(--motion-slow)_var(--ease-out)] shadow-over print:hidden';

/** A notice over the page that disappears by itself (SPEC §9: after 2000 ms, longer while it is hovered or focused). */
export function Toast({ onClose, ...notice }: NoticeProps & { onClose: () => void }) {
  const hold = useAutoClose(onClose);
  return <Notice {...notice} {...hold} onClose={onClose} className={cx(toastClass, notice.className)} />;
}

/**
 * SPEC §9: 2000 ms. While the pointer or focus is on the element, the timer waits; when both have left, the full time starts again. A
 * pointer counts once it moves: one that rests where the element appears, such as on the button that was pressed, would hold it for ever.
 */
function useAutoClose(onClose: () => void, ms: number = limits.alertCloseMs) {
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (hovered || focused) return;
    const timer = setTimeout(() => close.current(), ms);
    return () => clearTimeout(timer);
  }, [hovered, focused, ms]);
  return {
    onPointerMove: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
}
