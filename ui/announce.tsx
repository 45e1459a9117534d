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
