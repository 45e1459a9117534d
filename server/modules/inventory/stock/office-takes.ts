/** Stock-takes in the office. One at a place that the permit does not reach is not found. */
import type { FastifyInstance } from 'fastify';
import { itemsKept, type StockTake, stockPage } from '#contract/staff/stock.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import { actorIn } from '#server/platform/actors.ts';
import { notFound } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { firstItems, type ItemRow, itemsOf } from './levels.repository.ts';
import type { OfficeStockDeps, Reach } from './office-stock.ts';
import { findTake, foundIn, linesOf, sumsOf, type TakeRow, takesOf, unknownIn } from './takes.repository.ts';
import type { Takes } from './takes.ts';

const shownTakes = 10;
const shownUnknown = 100;
const shown = ({ sku, name, options }: ItemRow) => ({ sku, name: JSON.parse(name), options });

type TakeDeps = Pick<OfficeStockDeps, 'db' | 'staff'>;

export function registerOfficeTakes(app: FastifyInstance, deps: TakeDeps & { takes: Takes }, reach: Reach) {
  const { db, takes } = deps;
  async function reachTake(permit: Permit, id: string): Promise<TakeRow> {
    const take = await findTake(db.read, id);
    if (!take) throw notFound();
    await reach.requirePlace(permit, take.location_id);
    return take;
  }

  const present = (take: TakeRow) => presentTake(deps, take);

  serveStaff(app, 'stockTakes', async ({ permit, params: { place } }) => {
    await reach.requirePlace(permit, place);
    return { takes: await Promise.all((await takesOf(db.read, place, shownTakes)).map(present)) };
  });
  serveStaff(app, 'startTake', async ({ permit, params: { place }, body }) => {
    await reach.requirePlace(permit, place);
    return present(await takes.start(permit, place, body.key));
  });
  serveStaff(app, 'stockTake', async ({ permit, params }) => present(await reachTake(permit, params.take)));
  serveStaff(app, 'takeItems', async ({ permit, params }) => {
    await reachTake(permit, params.take);
    return { items: (await firstItems(db.read, itemsKept)).map((row) => ({ ...shown(row), gtin: row.gtin })) };
  });
  serveStaff(app, 'sendCounts', async ({ permit, params, body }) => {
    const take = await reachTake(permit, params.take);
    const items = await takes.add(permit.actor, take, body);
    const found = await foundIn(db.read, take.id, [...new Set([...items.values()].map(({ sku }) => sku))]);
    const codes = [...new Set(body.counts.map(({ code }) => code))];
    return {
      found: codes.flatMap((code) => {
        const item = items.get(code.trim());
        return item ? [{ ...shown(item), code, found: found.get(item.sku) ?? 0 }] : [];
      }),
      unknown: codes.filter((code) => !items.has(code.trim())),
    };
  });
  serveStaff(app, 'takeLines', async ({ permit, params, query: { after = '' } }) => {
    return linesAfter(db, await reachTake(permit, params.take), after);
  });
  serveStaff(app, 'bookTake', async ({ permit, params, body }) => {
    await reachTake(permit, params.take);
    return present(await takes.book(permit, params.take, body.counts));
  });
  serveStaff(app, 'endTake', async ({ permit, params }) => {
    await reachTake(permit, params.take);
    await takes.end(permit, params.take);
    return { done: true } as const;
  });
}

async function presentTake({ db, staff }: TakeDeps, take: TakeRow): Promise<StockTake> {
  const { id, location_id, state, started_at, started_by, refused } = take;
  const names = await staff.names();
  const nameOf = (text: string) => {
    const actor = actorIn(text);
    return actor.kind === 'staff' ? (names.get(actor.id) ?? null) : null;
  };
  const { actors, ...sums } = await sumsOf(db.read, id);
  return {
    ...{ id, place: location_id, state: state as StockTake['state'], startedAt: started_at, startedBy: nameOf(started_by) },
    ...{ ...sums, people: actors.flatMap((each) => nameOf(each) ?? []) },
    ...{ unknown: await unknownIn(db.read, id, shownUnknown), refused: JSON.parse(refused) },
  };
}

/** A page of the lines behind the SKU `after`. */
async function linesAfter(db: TakeDeps['db'], take: TakeRow, after: string) {
  const rows = await linesOf(db.read, take, after, stockPage + 1);
  const page = rows.slice(0, stockPage);
  const skus = page.map(({ sku }) => sku);
  const items = new Map((await itemsOf(db.read, skus)).map((row) => [row.sku, row]));
  return {
    lines: page.flatMap((line) => {
      const item = items.get(line.sku);
      return item ? [{ ...line, ...shown(item) }] : [];
    }),
    after: rows.length > stockPage ? (page.at(-1)?.sku ?? null) : null,
  };
}
