import { useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** Closes the open `<details>` inside `area` on Esc, on a press elsewhere, and after a link was followed. */
export function useLightDismiss(area: RefObject<HTMLElement | null>): void {
  const href = useLocation({ select: (location) => location.href });
  useEffect(() => {
    const opened = () => [...(area.current?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? [])];
    const close = (details: HTMLDetailsElement) => {
      details.open = false;
    };
    const pressed = ({ target }: Event) => {
      for (const details of opened()) if (!details.contains(target as Node)) close(details);
    };
    const keyed = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      for (const details of opened()) {
        close(details);
        details.querySelector('summary')?.focus();
      }
    };
    document.addEventListener('pointerdown', pressed);
    document.addEventListener('keydown', keyed);
    return () => {
      document.removeEventListener('pointerdown', pressed);
      document.removeEventListener('keydown', keyed);
    };
  }, [area]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the address closes it
  useEffect(() => {
    for (const details of area.current?.querySelectorAll<HTMLDetailsElement>('details[open]') ?? []) {
      const within = details.contains(document.activeElement);
      details.open = false;
      // The followed link is no longer visible.
      if (within) details.querySelector('summary')?.focus({ preventScroll: true });
    }
  }, [area, href]);
}
