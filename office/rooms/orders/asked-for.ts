import { groupBy } from '#contract/group-by.ts';
import type { Locale } from '#contract/locales.ts';
import type { OrderRow } from '#contract/staff/orders.ts';
import { formatMoney } from '#ui/format.ts';

/** What is asked for orders together. In cash each of them is rounded by itself, as it is booked. */
export function askedFor(orders: readonly OrderRow[], locale: Locale): { amount: string; cash: string } {
  const all = [...groupBy(orders, ({ currency }) => currency)];
  const sum = (of: (order: OrderRow) => number) =>
    all
      .map(([currency, each]) =>
        formatMoney(
          each.reduce((total, order) => total + of(order), 0),
          locale,
          currency,
        ),
      )
      .join(' + ');
  return { amount: sum(({ due }) => due), cash: sum(({ cashDue }) => cashDue) };
}
