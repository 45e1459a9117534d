import { announcerIds } from './announce.ts';

/** Where `announce()` speaks. Once a page, in the shell, so that it is there before anything is said. */
export function LiveRegion() {
  return (
    <div className="sr-only">
      <div id={announcerIds.polite} aria-live="polite" aria-atomic="true" />
      <div id={announcerIds.assertive} aria-live="assertive" aria-atomic="true" />
    </div>
  );
}
