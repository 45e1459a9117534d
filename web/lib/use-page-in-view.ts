import { useRouter } from '@tanstack/react-router';
import { type RefObject, useEffect } from 'react';

/** Milliseconds without scrolling before the address is updated. Browsers limit the rate of changes. */
const restMs = 200;

/**
 * Updates the address to the page in view, so that it can be shared and reloaded there. The first card of each page has
 * `data-page`. `addressOf` returns the address of a page.
 */
export function usePageInView(area: RefObject<HTMLElement | null>, current: number, addressOf: (page: number) => string): void {
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const page = pageInView(area.current);
      // A page that is being left must not change the address of the next one.
      if (page === undefined || page === current || router.state.status === 'pending') return;
      void router.navigate({ href: addressOf(page), replace: true, resetScroll: false, viewTransition: false });
    };
    const scrolled = () => {
      clearTimeout(timer);
      timer = setTimeout(follow, restMs);
    };
    addEventListener('scroll', scrolled, { passive: true });
    return () => {
      clearTimeout(timer);
      removeEventListener('scroll', scrolled);
    };
  }, [router, area, current, addressOf]);
}

/** The last page whose first card is above the middle of the window. */
function pageInView(area: HTMLElement | null): number | undefined {
  const marks = [...(area?.querySelectorAll<HTMLElement>('[data-page]') ?? [])];
  const passed = marks.filter((mark) => mark.getBoundingClientRect().top < innerHeight / 2);
  const mark = passed.at(-1) ?? marks[0];
  return mark ? Number(mark.dataset.page) : undefined;
}
