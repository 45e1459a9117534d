/** Says things to screen readers that the screen shows without moving focus. */
export const announcerIds = { polite: 'announcer-polite', assertive: 'announcer-assertive' } as const;

/**
 * Reads `text` out, when the reader is free ("polite") or at once. Browser only; does nothing where no
 * `LiveRegion` is on the page. The same text twice is read twice.
 */
export function announce(text: string, urgency: keyof typeof announcerIds = 'polite'): void {
  const region = document.getElementById(announcerIds[urgency]);
  if (!region) return;
  region.textContent = '';
  // A region that changes within one frame may be taken as unchanged.
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
