/** Announces changes to screen readers that the screen shows without moving focus. */
export const announcerIds = { polite: 'announcer-polite', assertive: 'announcer-assertive' } as const;

/**
 * Announces `text`: after the current speech ("polite"), or at once. Browser only; does nothing if the page has no
 * `LiveRegion`. The same text twice is announced twice.
 */
export function announce(text: string, urgency: keyof typeof announcerIds = 'polite'): void {
  const region = document.getElementById(announcerIds[urgency]);
  if (!region) return;
  region.textContent = '';
  // A region that changes within one frame may be treated as unchanged.
  requestAnimationFrame(() => {
    region.textContent = text;
  });
}
