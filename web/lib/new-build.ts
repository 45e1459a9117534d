import type { AppRouter } from '#web/router.tsx';
import { readTab, writeTab } from './tab-storage.ts';

const reloadedKey = 'reloaded-for-new-build';
/** A page that cannot be had at all must not load itself for ever (ms). */
const leastMsBetweenReloads = 60_000;

/**
 * When the shop was built anew while a page was open, the code of the next page may be gone: its
 * document is loaded instead, which brings its own. Code that was only fetched ahead is let go.
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
