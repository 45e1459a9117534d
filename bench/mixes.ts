/**
 * Loads of a shop that lives: many addresses at random, while a merchant changes the catalogue and customers order. Each mix is
 * measured in turns with the same reads alone, in the same run.
 */
import path from 'node:path';
import { type Figure, type LoadOptions, load, middle } from './load.ts';
import { type Server, startServer } from './servers.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Changes of the catalogue a second, made by another process, as a merchant's import does. */
export async function withChanges<T>(
  perSecond: number,
  env: Record<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const merchant = await startServer(path.join(root, 'bench/merchant.ts'), {
    ...env,
    CHANGES_PER_SECOND: String(perSecond),
  });
  try {
    return await work();
  } finally {
    await merchant.stop();
  }
}

/** Requests `routes` in random order; the same order in every run. */
export function atRandom(shop: Server, routes: readonly string[], options: LoadOptions): Promise<Figure> {
  let seed = 11;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return routes[Math.floor((seed / 2_147_483_648) * routes.length)] ?? '/';
  };
  return load(shop.url, next, options);
}

/** Asks for every address twice, as a shop that has been open for a while has. */
export async function warm(shop: Server, routes: readonly string[]): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const route of routes) {
      const answer = await fetch(new URL(route, shop.url), { headers: { 'accept-encoding': 'br' } });
      if (!answer.ok) throw new Error(`${route} answered ${answer.status}`);
      await answer.arrayBuffer();
    }
}

export interface Mix {
  what: string;
  /** The reads alone, and with what happens besides, measured in turns; medians. */
  alone: Figure;
  mixed: Figure;
  /** The least share of `alone` that `mixed` must reach. */
  bar: number;
}

/** Measures reads of `routes` at random alone and during `besides`, in turns. */
export async function measureMix(
  shop: Server,
  routes: readonly string[],
  { what, rounds, ...options }: LoadOptions & { what: string; rounds: number },
  besides: (read: () => Promise<Figure>) => Promise<Figure>,
): Promise<Mix> {
  await warm(shop, routes);
  const alone: Figure[] = [];
  const mixed: Figure[] = [];
  const read = () => atRandom(shop, routes, options);
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await read());
    mixed.push(await besides(read));
  }
  return { what, alone: middle(alone), mixed: middle(mixed), bar: 0.8 };
}
