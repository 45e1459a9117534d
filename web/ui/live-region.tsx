import { announcerIds } from './announce.ts';

/** The region that `announce()` writes to. Once per page, in the shell, so that it exists before the first announcement. */
export function LiveRegion() {
  return (
    <div className="sr-only">
      <div id={announcerIds.polite} aria-live="polite" aria-atomic="true" />
      <div id={announcerIds.assertive} aria-live="assertive" aria-atomic="true" />
    </div>
  );
}
