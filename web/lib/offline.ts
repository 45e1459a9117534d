import { savesData } from '#ui/page.tsx';
import type { AppRouter } from '#web/router.tsx';

/** Tells the service worker of pages reached without their document, to be read offline too. Each costs a request: off in data-saving mode. */
export function keepVisitedPages(router: AppRouter): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  // Only after the page itself has loaded everything it needs.
  const register = () => void navigator.serviceWorker.register('/sw.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
  if (savesData()) return;
  router.subscribe('onRendered', ({ fromLocation, hrefChanged }) => {
    if (fromLocation && hrefChanged) navigator.serviceWorker.controller?.postMessage({ visited: location.href });
  });
}

/** Whether this page is cached, so that loading its document shows it without a network. */
export async function isKept(href: string): Promise<boolean> {
  return 'caches' in globalThis && (await caches.match(href, { ignoreVary: true })) !== undefined;
}
