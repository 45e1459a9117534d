/** How long an agent's calls take beside the shop's own, on the machine that runs it. */
import { randomUUID } from 'node:crypto';
import { apiBase } from '#contract/limits.ts';
import { lines } from '../agents.ts';

const calls = 200;
/** Ms, of a cart call (p95). */
const bar = 50;
/** Of the times (p50) of a search and of the shop's own. */
const searchBar = 1.1;

interface Figure {
  p50: number;
  p95: number;
}

/** In turn, so that what else the machine does falls on all of them. */
async function timed<const N extends string>(
  asks: Readonly<Record<N, () => Promise<Response>>>,
): Promise<Record<N, Figure>> {
  const all = new Map<string, number[]>();
  // The first calls load the code.
  for (let index = -20; index < calls; index++)
    for (const [name, ask] of Object.entries<() => Promise<Response>>(asks)) {
      const begun = performance.now();
      const response = await ask();
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`A call was answered with ${response.status}`);
      if (index >= 0) all.set(name, [...(all.get(name) ?? []), performance.now() - begun]);
    }
  const figures = [...all].map(([name, times]) => {
    const sorted = times.toSorted((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    return [name, { p50: at(0.5), p95: at(0.95) }];
  });
  return Object.fromEntries(figures) as Record<N, Figure>;
}

/** Returns how many figures are above their bar. */
export async function measure(shop: string, profile: string): Promise<number> {
  const headers = () => ({
    'content-type': 'application/json',
    'ucp-agent': `profile="${profile}"`,
    'idempotency-key': randomUUID(),
  });
  const send = (method: string, path: string, body?: object) =>
    fetch(`${shop}/api/ucp${path}`, {
      method,
      headers: headers(),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const cart = lines(['MC-HT-02', 2], ['MC-BT-02-50', 1]);
  const { id } = (await (await send('POST', '/carts', cart)).json()) as { id: string };
  let word = 0;
  const words = ['mug', 'cup', 'tea', 'green', 'pot', 'white', 'glaze', 'bowl'];
  const little = ['a', 'an', 'and', 'for', 'in', 'of', 'on', 'the', 'to', 'with'];
  // Another query each time, so that no cache answers; the words beside the first find the same.
  const query = () => {
    word += 1;
    const beside = [word, word / 10, word / 100].map((each) => little[Math.floor(each) % little.length]);
    return [words[word % words.length], ...beside].join(' ');
  };
  const carts = await timed({
    'create a cart': () => send('POST', '/carts', cart),
    'read a cart': () => send('GET', `/carts/${id}`),
    'replace a cart': () => send('PUT', `/carts/${id}`, lines(['MC-HT-02', 1 + (word++ % 3)])),
  });
  const searches = await timed({
    'search the catalogue': () => send('POST', '/catalog/search', { query: query() }),
    "the shop's own search": () =>
      fetch(
        `${shop}${apiBase}productManagement2/products/search/${encodeURIComponent(query())}?lang=en&numberToLoad=10`,
      ),
  });
  const { 'search the catalogue': search, "the shop's own search": own } = searches;
  let above = 0;
  for (const [name, { p50, p95 }] of Object.entries({ ...carts, ...searches })) {
    const isAbove = name.includes('cart') ? p95 > bar : p50 > own.p50 * searchBar;
    above += isAbove ? 1 : 0;
    console.log(
      `${isAbove ? 'ABOVE ' : ''}figures: ${name}: ${p50.toFixed(1)} ms p50, ${p95.toFixed(1)} ms p95`,
    );
  }
  const [p50, p95] = [search.p50 / own.p50, search.p95 / own.p95].map((ratio) => ratio.toFixed(2));
  console.log(`figures: a search takes ${p50} (p50) and ${p95} (p95) times as long as the shop's own`);
  return above;
}
