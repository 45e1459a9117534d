/** What pick lists and packing slips are printed from, for many orders in a few statements. */
import { receiverOf } from '#contract/addresses.ts';
import { mostAtOnce } from '#contract/limits.ts';
import { defaultLocale, inEvery, type LocalText } from '#contract/locales.ts';
import type { Paper, PaperLine } from '#contract/staff/orders.ts';
import type { Database } from '#db/database.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import { validationError } from '#server/platform/errors.ts';
import type { Permit } from '#server/platform/permits.ts';
import { type DeskLineRow, deskLines, ordersByNumber } from '../fulfilment/desk.repository.ts';
import { promisedOf } from '../order/delivery.ts';
import { modifierTextOf } from '../order/line-units.ts';
import type { OrderHead, OrderModifier } from '../order/order.ts';
import { agreedView, timeZoneOf } from '../order/order-presenter.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import type { OrdersService } from '../order/orders.service.ts';

export function createPapers({ db, settings, orders }: { db: Database; settings: SettingsService; orders: OrdersService }) {
  return async (
    permit: Permit<'orders.read'>,
    { numbers = '' }: { numbers?: string },
  ): Promise<{ shopContent: LocalText; papers: Paper[] }> => {
    const wanted = [...new Set(numbers.split(',').map((number) => number.trim().toUpperCase()))].filter(Boolean);
    if (wanted.length > mostAtOnce)
      throw validationError({ numbers: { key: 'office.bulk.tooMany', values: { count: mostAtOnce } } });
    const [{ shopName }, current] = await Promise.all([settings.all(), orders.settings()]);
    const stores = permit.stores ? [...permit.stores] : ('all' as const);
    const found = wanted.length === 0 ? [] : await ordersByNumber(db.read, { stores, numbers: wanted });
    const ids = found.map(({ id }) => id);
    const lines = Map.groupBy(await deskLines(db.read, ids), ({ order_id }) => order_id);
    return { shopContent: shopName, papers: found.map((order) => paperOf(order, lines.get(order.id) ?? [], current)) };
  };
}

function paperOf(order: OrderHead, rows: readonly DeskLineRow[], settings: OrderSettings): Paper {
  const { number, language, method, storeId, tableNumber, pickupAt, placedAt, comment, bill } = order;
  if (!bill) throw new Error(`Order ${number} is placed without a bill`);
  return {
    number: number ?? '',
    language,
    method,
    store: storeId,
    table: tableNumber,
    pickupAt,
    delivery: promisedOf(order, settings),
    placedAt: placedAt ?? 0,
    timeZone: timeZoneOf(order, settings),
    ...receiverOf(order),
    comment,
    lines: rows.map(lineOf),
    bill: agreedView(bill).bill,
  };
}

function lineOf({ id, sku, quantity, name, option_text, modifiers, note, unit_price_cents }: DeskLineRow): PaperLine {
  // A line without options has an empty text.
  const text = (json: string | null) => {
    const parsed = JSON.parse(json ?? '{}') as LocalText;
    return Object.values(parsed).some(Boolean) ? parsed : null;
  };
  const chosen = JSON.parse(modifiers ?? '[]') as OrderModifier[];
  return {
    id,
    sku,
    quantity,
    nameContent: text(name) ?? { [defaultLocale]: sku },
    optionContent: text(option_text),
    modifierContent: chosen.length === 0 ? null : inEvery((locale) => modifierTextOf(chosen, locale)),
    note,
    amount: (unit_price_cents ?? 0) * quantity,
  };
}
