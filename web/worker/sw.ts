/**
 * Pages come from the network whenever there is one; the cache is used only if that fails. Their files are cached by the browser
 * itself. The office has one document for
 * all of its addresses, and one for stock-takes, with nothing of anybody in them.
 */
const worker = self as unknown as ServiceWorkerGlobalScope;

/** The message for a page that was not visited before, by language; the build inserts it. */
declare const OFFLINE_WORDS: Record<string, { tag: string; title: string; text: string; retry: string }>;

const pages = 'pages-1';
const office = '/office';
/** The address under which the document of a page is kept. */
const keyOf = (url: string) => /^\/office(?:\/scan(?=\/|$))?(?=\/|$)/.exec(new URL(url).pathname)?.[0] ?? url;
/** How often a page that could not be opened asks whether the shop is back, ms. */
const healMs = 3000;
/** Above this number, the oldest are dropped. */
const mostPages = 80;

worker.addEventListener('install', () => {
  void worker.skipWaiting();
});

worker.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

worker.addEventListener('fetch', (event) => {
  if (event.request.mode === 'navigate' && event.request.method === 'GET') event.respondWith(openPage(event));
});

/** A page reached without loading its document sends a message, and its document is cached for later. */
worker.addEventListener('message', (event) => {
  const { visited } = event.data as { visited?: unknown };
  if (typeof visited === 'string' && visited.startsWith(`${worker.origin}/`))
    event.waitUntil(keepVisited(visited));
});

/** A new order, for staff whose tab sleeps: one that shows the office says it itself. */
worker.addEventListener('push', (event) => {
  if (!event.data) return;
  const { title, tag } = event.data.json() as { title: string; tag: string };
  event.waitUntil(
    officeTabs().then((tabs) => {
      if (tabs.some(({ visibilityState }) => visibilityState === 'visible')) return;
      return worker.registration.showNotification(title, { tag });
    }),
  );
});

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(
    officeTabs().then(([tab]) => (tab ? tab.focus() : worker.clients.openWindow(`${office}/desk`))),
  );
});

async function officeTabs(): Promise<readonly WindowClient[]> {
  const tabs = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  return tabs.filter(({ url }) => keyOf(url).startsWith(office));
}

async function takeOver(): Promise<void> {
  const outdated = (await caches.keys()).filter((name) => name !== pages);
  await Promise.all(outdated.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function openPage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  try {
    const response = await fetch(request);
    event.waitUntil(keep(request.url, response.clone()));
    return response;
  } catch {
    const kept = await (await caches.open(pages)).match(keyOf(request.url), { ignoreVary: true });
    return kept ?? unseenPage(request.url);
  }
}

async function keepVisited(url: string): Promise<void> {
  try {
    // Without the session: only pages that are the same for everybody are cached, and no page needs to be rendered for this visitor.
    await keep(url, await fetch(url, { credentials: 'omit' }));
  } catch {
    // The network is gone, so there is nothing to cache.
  }
}

/** Only complete public pages: pages of one customer are sent as no-store and are not cached. */
async function keep(url: string, response: Response): Promise<void> {
  const isPublic = response.headers.get('cache-control')?.includes('public') ?? false;
  const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
  const key = keyOf(url);
  if (response.status !== 200 || response.redirected || !(isPublic || key.startsWith(office)) || !isPage)
    return;
  const store = await caches.open(pages);
  // Inserted again, so that the order of the keys is the order of the last visits.
  await store.delete(key, { ignoreVary: true });
  await store.put(key, response);
  const kept = await store.keys();
  await Promise.all(
    kept
      .slice(0, Math.max(0, kept.length - mostPages))
      .map((request) => store.delete(request, { ignoreVary: true })),
  );
}

function unseenPage(url: string): Response {
  const language = new URL(url).pathname.split('/')[1] ?? '';
  const words = OFFLINE_WORDS[language] ?? OFFLINE_WORDS.en;
  if (!words) return Response.error();
  const html =
    `<!doctype html><html lang="${words.tag}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
    `<title>${words.title}</title><style>:root{color-scheme:light dark}body{max-width:32rem;margin:20vh auto;padding:0 1.5rem;` +
    `font:1.125rem/1.6 system-ui,sans-serif;text-align:center}</style><h1>${words.title}</h1><p>${words.text}</p>` +
    `<p><a href="">${words.retry}</a></p>` +
    // The page comes by itself once the shop answers.
    `<script>setInterval(()=>fetch('/healthz',{cache:'no-store'}).then(a=>a.ok&&location.reload(),()=>{}),${healMs})</script>`;
  return new Response(html, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
