import { useEffect, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';

/**
 * Calls `onClose` after `ms` (SPEC §9: 2000). Spread the result on the element: while the pointer or focus is on it, the timer
 * waits; when both have left, the full time starts again.
 */
export function useAutoClose(onClose: () => void, ms: number = limits.alertCloseMs) {
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
    onPointerEnter: () => setHovered(true),
    onPointerLeave: () => setHovered(false),
    onFocus: () => setFocused(true),
    onBlur: () => setFocused(false),
  };
}
