const announcerIds = { polite: 'announcer-polite', assertive: 'announcer-assertive' } as const;

/** Browser only; does nothing without a `LiveRegion`. The same text twice is announced twice. `polite` waits for the current speech. */
export function announce(text: string, urgency: keyof typeof announcerIds = 'polite'): void {
  const region = document.getElementById(announcerIds[urgency]);
  if (!region) return;
  region.textContent = '';
  // A region that changes within one frame may be treated as unchanged.
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}

/** The region that `announce()` writes to. Once per page, in the shell, so that it exists before the first announcement. */
export function LiveRegion() {
  return (
    <div className="sr-only">
      <div id={announcerIds.polite} aria-live="polite" aria-atomic="true" />
      <div id={announcerIds.assertive} aria-live="assertive" aria-atomic="true" />
    </div>
  );
}

/** Focuses an element that need not be focusable by itself, without scrolling to it. */
export function focusQuietly(element: HTMLElement | null | undefined): void {
  if (!element) return;
  if (!element.hasAttribute('tabindex') && element.tabIndex < 0) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

/** After a navigation. Focus that the page itself has already placed, in a form or on the item that Back returned to, stays. */
export function focusPage(): void {
  const main = document.getElementById('main');
  if (!main || main.contains(document.activeElement)) return;
  focusQuietly(main.querySelector('h1') ?? main);
}

/** Whether the browser would follow this click on a link in the same window. */
export function isPlainClick(
  click: Pick<MouseEvent, 'metaKey' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'button'>,
): boolean {
  return click.button === 0 && !(click.metaKey || click.ctrlKey || click.shiftKey || click.altKey);
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** From 768 px on, where a product's image stands beside its text (`product` in tokens.css). */
export function matchesProductWidth(): boolean {
  return matchMedia('(width >= 48rem)').matches;
}

/** Save-Data, or a connection too slow for prefetching. */
export function savesData(): boolean {
  const { connection } = navigator as Navigator & {
    connection?: { saveData?: boolean; effectiveType?: string };
  };
  return connection?.saveData === true || /2g/.test(connection?.effectiveType ?? '');
}
