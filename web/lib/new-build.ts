import type { AppRouter } from '#web/router.tsx';
import { readTab, writeTab } from './tab-storage.ts';

const reloadedKey = 'reloaded-for-new-build';
/** Milliseconds between two reloads, so that a page that cannot load does not reload in a loop. */
const leastMsBetweenReloads = 60_000;

/**
 * If the shop was rebuilt while a page was open, the code of the next page may be gone: then its document is loaded instead,
 * which has the new code. A failed prefetch is ignored.
 */
export function followNewBuilds(router: AppRouter): void {
  addEventListener('vite:preloadError', () => {
    const last = Number(readTab(reloadedKey) ?? 0);
    const needed = router.state.status === 'pending' && navigator.onLine;
    if (!needed || Date.now() - last < leastMsBetweenReloads) return;
    writeTab(reloadedKey, Date.now());
    location.reload();
  });
}
