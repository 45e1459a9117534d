/** What the people of the demo shop do besides its orders: receive goods, count, write down cash, answer, close the books. */
import { Readable } from 'node:stream';
import { hourMs, minuteMs, momentAt, wallClock } from '#server/platform/time-zone.ts';
import stores from '../data/stores.json' with { type: 'json' };
import { chanceOf } from './chance.ts';
import { items, type Levels } from './goods.ts';
import { type SentMessage, sentMessages } from './messages.ts';
import { newsletterFile } from './newsletter.ts';
import { pastDays, zone } from './plan.ts';
import type { PastShop } from './shop.ts';

export interface Chore {
  what: 'chore';
  at: number;
  run(shop: PastShop, levels: Levels): Promise<void>;
}

/** Of those with a tea bar, and so with cash. */
const storeIds = stores.filter(({ tables }) => tables > 0).map(({ id }) => id);

/** The chores before `until` (epoch ms), in no order. */
export function planChores(until: number): Chore[] {
  const today = Temporal.PlainDate.from(wallClock(until, zone).date);
  const first = today.subtract({ days: pastDays - 1 });
  const at = (date: Temporal.PlainDate, minutes: number) => momentAt(date.toString(), minutes, zone);
  const chores: Chore[] = [];
  const add = (date: Temporal.PlainDate, minutes: number, run: Chore['run']) =>
    chores.push({ what: 'chore', at: at(date, minutes), run });

  for (let day = 0; day < pastDays; day++) {
    const date = first.add({ days: day });
    add(date, 7 * 60 + 30, receive(day % 7 === 0 ? 'shelves' : 'bar'));
    // On Sunday evenings, when all three have been open.
    if (date.dayOfWeek === 7) for (const store of storeIds) add(date, 21 * 60 + 15, cashUp(store, day));
    if (date.dayOfWeek === 1)
      add(date, 8 * 60, ({ services }) => services.settlements.reader.readAll().then(() => {}));
    // What ended on the last of a month is closed once its bills are in.
    if (date.day === 9) add(date, 15 * 60 + 20, closeMonth);
  }
  add(first, 7 * 60, floats);
  add(today.subtract({ days: 96 }), 10 * 60 + 5, importCustomers);
  add(today.subtract({ days: 41 }), 18 * 60 + 40, raiseAndUndo);
  add(today.subtract({ days: 26 }), 8 * 60 + 10, takeStock);
  for (const [index, message] of sentMessages.entries()) {
    const chance = chanceOf(`message ${index}`);
    add(today.subtract({ days: message.daysAgo }), chance.whole(9 * 60, 20 * 60), send(message, index));
  }
  return chores.filter((chore) => chore.at < until - hourMs);
}

/** Of a price, what a unit costs the shop. */
const costShare = 0.42;

/** The bar is filled up each morning; shelves when half is gone, once a week. */
function receive(of: 'bar' | 'shelves'): Chore['run'] {
  return async (shop, levels) => {
    const lacking = items.flatMap(({ sku, stock, atTable, priceCents }) =>
      Object.entries(stock).flatMap(([place, full]) => {
        const isDue = atTable
          ? levels(sku, place) < full * 0.6
          : of === 'shelves' && levels(sku, place) <= full / 2;
        const units = full - levels(sku, place);
        return units > 0 && isDue
          ? [{ sku, place, units, unitCost: Math.round(priceCents * costShare) }]
          : [];
      }),
    );
    const { changes, stock } = shop.services;
    if (lacking.length === 0) return;
    await changes.run(shop.who('aisha'), 'stock correct', async (change) => {
      for (const { unitCost, ...each } of lacking)
        await stock.correct(change, each, 'received', { unitCost });
      change.note('stock', lacking[0]?.sku ?? '', []);
    });
  };
}

const floatCents = 20_000;

async function floats(shop: PastShop): Promise<void> {
  const { changes, cash } = shop.services;
  const permit = shop.permit('mei', 'books.cash');
  for (const store of storeIds)
    await changes.run(permit.actor, 'cash float', (change) =>
      cash.move(change, permit, { store, kind: 'float', amount: floatCents }),
    );
}

const spent = ['Milk', 'Lemons and ice', 'Till rolls', 'Flowers for the counter'] as const;

/** Counts the drawer, now and then with a coin too few, and takes what is over the float to the bank. */
function cashUp(store: string, day: number): Chore['run'] {
  return async (shop) => {
    const { changes, cash } = shop.services;
    const chance = chanceOf(`cash ${store} ${day}`);
    const permit = shop.permit('mei', 'books.cash');
    const move = (input: Parameters<typeof cash.move>[2]) =>
      changes.run(permit.actor, `cash ${input.kind}`, (change) => cash.move(change, permit, input));
    if (chance.happens(0.3))
      await move({ store, kind: 'spent', amount: chance.whole(6, 24) * 100 + 45, note: chance.one(spent) });
    const { closing } = await cash.sheet(permit, store);
    const off = chance.happens(0.25) ? chance.one([-100, -25, 25, 5]) : 0;
    await move({ store, kind: 'count', amount: Math.max(0, closing + off) });
    const over = Math.floor((closing + off - floatCents) / 500) * 500;
    if (over > 0) await move({ store, kind: 'bank', amount: over });
  };
}

/** Each month that is over, one after the other. */
async function closeMonth(shop: PastShop): Promise<void> {
  const { changes, periods } = shop.services;
  const { next } = await periods.all();
  if (next?.isOver)
    await periods.close(changes.by(shop.who('jonas'), 'books close'), { from: next.from, to: next.to }, null);
}

/** Those who signed up in a list that the shop kept before. */
async function importCustomers(shop: PastShop): Promise<void> {
  const { importRuns, bulkChanges } = shop.services;
  const permit = shop.permit('mei', 'goods.import', 'customers.import');
  const { id } = await importRuns.upload(
    permit,
    'newsletter-list.csv',
    Readable.from([newsletterFile]),
    'en',
  );
  await bulkChanges.work();
  await importRuns.apply(permit, id, 'en', { isFresh: true });
  await bulkChanges.work();
}

/** Teaware costs a twentieth more, until somebody sees that it was the wrong list. */
async function raiseAndUndo(shop: PastShop): Promise<void> {
  const { goodsChanges } = shop.services;
  const actor = shop.who('mei');
  const ids = [
    ...new Set(items.filter(({ category }) => category === 'teapots').map(({ product }) => product)),
  ];
  const { id } = await goodsChanges.begin(
    actor,
    { filter: {}, ids, latest: null, change: { percent: 500, round: 0 } },
    'en',
  );
  await goodsChanges.work();
  shop.at += 14 * minuteMs;
  await goodsChanges.takeBack(actor, id, 'en');
  await goodsChanges.work();
}

/** The shelves of teapots and mugs in Toronto, with two that are missing and one more than expected. */
async function takeStock(shop: PastShop, levels: Levels): Promise<void> {
  const { takes } = shop.services;
  const [permit, place] = [shop.permit('noah', 'stock.count'), 'toronto-queen-west'];
  const take = await takes.start(permit, place, crypto.randomUUID());
  const counted = items.filter(({ category }) => category === 'teapots' || category === 'cups-and-mugs');
  const off: Readonly<Record<string, number>> = { 'MC-CM-02-250': -1, 'MC-CM-04': -1, 'MC-TP-02': 1 };
  const began = shop.at;
  const counts = counted.map(({ sku }, index) => ({
    id: crypto.randomUUID(),
    code: sku,
    at: began + index * 20_000,
    units: Math.max(0, levels(sku, place) + (off[sku] ?? 0)),
  }));
  shop.at = began + counts.length * 20_000;
  await takes.add(permit.actor, take, { now: shop.at, counts });
  shop.at += minuteMs;
  await takes.book(permit, take.id, counts.length);
}

function send({ form, mailTo, locale, details, answered }: SentMessage, index: number): Chore['run'] {
  return async (shop) => {
    const { changes, formMessages, officeMessages } = shop.services;
    await formMessages.submit(
      {
        formName: form,
        mailTo,
        messageDetails: Object.entries(details).map(([key, value]) => ({ key, value })),
        secondsOpen: 80,
      },
      { locale, address: `198.19.0.${index}`, customerId: null },
    );
    if (!answered) return;
    const [sent] = await formMessages.latest({ suspected: false, most: 1 });
    shop.at += chanceOf(`answer ${index}`).whole(1, 20) * hourMs;
    const permit = shop.permit('mei', 'messages.answer');
    if (sent)
      await changes.run(permit.actor, 'message mark', (change) =>
        officeMessages.mark(change, permit, sent.id, true),
      );
  };
}
