/** How long an agent's calls take beside the shop's own, on the machine that runs it. */
import { randomUUID } from 'node:crypto';
import { apiBase } from '#contract/limits.ts';
import { lines } from '../agents.ts';

const calls = 200;
/** Ms, of a cart call (p95). */
const bar = 50;

async function timed(call: () => Promise<Response>): Promise<{ p50: number; p95: number }> {
  const all: number[] = [];
  // The first calls load the code.
  for (let index = -20; index < calls; index++) {
    const begun = performance.now();
    const response = await call();
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`A call was answered with ${response.status}`);
    if (index >= 0) all.push(performance.now() - begun);
  }
  const at = (share: number) => all.toSorted((a, b) => a - b)[Math.floor(all.length * share)] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

/** Returns how many figures are above their bar. */
export async function measure(shop: string, profile: string): Promise<number> {
  const headers = () => ({
    'content-type': 'application/json',
    'ucp-agent': `profile="${profile}"`,
    'idempotency-key': randomUUID(),
  });
  const send = (method: string, path: string, body?: object) =>
    fetch(`${shop}/api/ucp${path}`, { method, headers: headers(), ...(body ? { body: JSON.stringify(body) } : {}) });
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
  const figures = {
    'create a cart': await timed(() => send('POST', '/carts', cart)),
    'read a cart': await timed(() => send('GET', `/carts/${id}`)),
    'replace a cart': await timed(() => send('PUT', `/carts/${id}`, lines(['MC-HT-02', 1 + (word++ % 3)]))),
    'search the catalogue': await timed(() => send('POST', '/catalog/search', { query: query() })),
    "the shop's own search": await timed(() =>
      fetch(`${shop}${apiBase}productManagement2/products/search/${encodeURIComponent(query())}?lang=en&numberToLoad=10`),
    ),
  };
  let above = 0;
  for (const [name, { p50, p95 }] of Object.entries(figures)) {
    const isAbove = name.includes('cart') && p95 > bar;
    above += isAbove ? 1 : 0;
    console.log(`${isAbove ? 'ABOVE ' : ''}figures: ${name}: ${p50.toFixed(1)} ms p50, ${p95.toFixed(1)} ms p95`);
  }
  return above;
}
