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
import { unitsOfOrders } from '../fulfilment/shipping.ts';
import { promisedOf } from '../order/delivery.ts';
import { modifierTextOf } from '../order/line-units.ts';
import { isShownTo, type OrderHead, type OrderModifier } from '../order/order.ts';
import { waitingStates } from '../order/order-pages.repository.ts';
import { agreedView, taxNumbersOf, timeZoneOf } from '../order/order-presenter.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import type { OrdersService } from '../order/orders.service.ts';

export function createPapers({
  db,
  settings,
  orders,
}: {
  db: Database;
  settings: SettingsService;
  orders: Pick<OrdersService, 'settings'>;
}) {
  return async (
    permit: Permit<'orders.read'>,
    { numbers = '' }: { numbers?: string },
  ): Promise<{ shopContent: LocalText; papers: Paper[]; over: string[] }> => {
    const wanted = [...new Set(numbers.split(',').map((number) => number.trim().toUpperCase()))].filter(
      Boolean,
    );
    if (wanted.length > mostAtOnce)
      throw validationError({ numbers: { key: 'office.bulk.tooMany', values: { count: mostAtOnce } } });
    const [{ shopName }, current] = await Promise.all([settings.all(), orders.settings()]);
    const stores = permit.stores ? [...permit.stores] : ('all' as const);
    const named = wanted.length === 0 ? [] : await ordersByNumber(db.read, { stores, numbers: wanted });
    const found = named.filter((order) => isShownTo(permit, order));
    const [lines, units] = await Promise.all([
      deskLines(
        db.read,
        found.map(({ id }) => id),
      ),
      unitsOfOrders(db.read, found),
    ]);
    const papers = found.flatMap((order): Paper[] => {
      const isWaiting = waitingStates.includes(order.state);
      /** What is left of a line, and what was sent before; once the order has left the shop, what of it was handed over. */
      const leftOf = ({ id }: DeskLineRow): Left => {
        const { left, gone } = units.get(order.id)?.find(({ line }) => line === id) ?? { left: 0, gone: 0 };
        return isWaiting ? { quantity: left, sent: gone } : { quantity: gone, sent: 0 };
      };
      const own = lines.filter(({ order_id }) => order_id === order.id);
      const printed = own.map((row) => lineOf(row, leftOf(row)));
      const isOver = order.state === 'cancelled' || printed.every(({ quantity }) => quantity === 0);
      return isOver ? [] : [paperOf(order, printed, { settings: current, isWaiting })];
    });
    const kept = new Set(papers.map(({ number }) => number));
    const over = found.flatMap(({ number }) => (number === null || kept.has(number) ? [] : [number]));
    return { shopContent: shopName, papers, over };
  };
}

type Left = Pick<PaperLine, 'quantity' | 'sent'>;

function paperOf(
  order: OrderHead,
  lines: PaperLine[],
  { settings, isWaiting }: { settings: OrderSettings; isWaiting: boolean },
): Paper {
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
    isWaiting,
    lines,
    bill: agreedView(bill, taxNumbersOf(order, settings)).bill,
  };
}

function lineOf(row: DeskLineRow, { quantity, sent }: Left): PaperLine {
  const { id, sku, name, option_text, modifiers, note, unit_price_cents } = row;
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
    sent,
    nameContent: text(name) ?? { [defaultLocale]: sku },
    optionContent: text(option_text),
    modifierContent: chosen.length === 0 ? null : inEvery((locale) => modifierTextOf(chosen, locale)),
    note,
    amount: (unit_price_cents ?? 0) * quantity,
  };
}
