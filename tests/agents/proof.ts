/**
 * Proves that a checkout becomes one order: a completion that is repeated 10,000 times by one key, and one that 1,000 requests race
 * for by keys of their own, while the shop's process is killed in between and started again on its data.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqliteFileName } from '#db/sqlite/open.ts';
import { lines, pays, shipped } from '../agents.ts';
import { type ShopProcess, startShop } from '../processes.ts';

const atOnce = 50;

interface Proof {
  name: string;
  times: number;
  /** Kills after so many answers; 0: while the first are under way. */
  kills: readonly number[];
  key: () => string;
}

const repeated = randomUUID();
const proofs: readonly Proof[] = [
  { name: 'raced', times: 1000, kills: [0, 300], key: randomUUID },
  { name: 'replayed', times: 10_000, kills: [0, 5000], key: () => repeated },
];

/** Returns how many proofs failed, and the shop that runs now. */
export async function proveCompletes(first: ShopProcess, env: Record<string, string>, profile: string) {
  let shop = first;
  const ask = async (path: string, body: object, key: string = randomUUID()) => {
    const headers = {
      'content-type': 'application/json',
      'ucp-agent': `profile="${profile}"`,
      'idempotency-key': key,
    };
    const signal = AbortSignal.timeout(60_000);
    const response = await fetch(`${shop.url}/api/ucp${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal,
    });
    return {
      status: response.status,
      body: (await response.json()) as { id: string; order?: { id: string } },
    };
  };
  let failed = 0;
  for (const { name, times, kills, key } of proofs) {
    const { body } = await ask('/checkout-sessions', { ...lines(['MC-HT-02', 1]), ...shipped });
    const orders = new Set<string>();
    const statuses = new Map<number, number>();
    let [asked, answered, lost] = [0, 0, 0];
    const waiting = [...kills];
    let restart: Promise<void> | null = null;
    const kill = async () => {
      // Time for what was sent to begin.
      await fetch(`${shop.url}/llms.txt`).catch(() => undefined);
      await shop.end('SIGKILL');
      shop = await startShop(env);
    };
    const worker = async () => {
      while (asked < times) {
        asked += 1;
        const sent = key();
        for (let isAnswered = false; !isAnswered; ) {
          await restart;
          if (waiting[0] !== undefined && answered >= waiting[0]) {
            waiting.shift();
            restart = kill();
          }
          try {
            const { status, body: said } = await ask(`/checkout-sessions/${body.id}/complete`, pays(), sent);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            if (said.order) orders.add(said.order.id);
            // Under way elsewhere: the protocol has the agent repeat it.
            isAnswered = status !== 503;
            answered += isAnswered ? 1 : 0;
          } catch {
            lost += 1;
          }
        }
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    const placed = placedOrders(env.DATA_DIR ?? '', body.id);
    const isProved = orders.size === 1 && placed === 1;
    const told = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
    console.log(
      `${isProved ? '' : 'BROKEN '}completes: ${times} ${name}, ${kills.length} kills, ${lost} answers lost (${told}): ${orders.size} order told, ${placed} placed`,
    );
    failed += isProved ? 0 : 1;
  }
  return { failed, shop };
}

function placedOrders(folder: string, checkout: string): number {
  const db = new DatabaseSync(join(folder, sqliteFileName), { readOnly: true });
  const sql =
    'select count(*) as placed from agent_orders join orders on orders.id = agent_orders.order_id where cart_id = ? and placed_at is not null';
  const row = db.prepare(sql).get(checkout.replace('checkout_', '')) as { placed: number };
  db.close();
  return row.placed;
}
