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
