import { formatMerchantMoney } from '#contract/money.ts';
import type { OrderHead } from '#server/modules/orders/index.ts';
import type { Dispute } from '#server/modules/payments/index.ts';
import { isoTime } from '#server/platform/time-zone.ts';

/**
 * One line such as "Dispute dp_1: $85.88, open since 2026-05-16T10:00-04:00, fraudulent. Answer it by … in the provider's
 * dashboard."
 */
export function disputeLine({ id, amount, currency, state, reason, at, respondBy }: Dispute, timeZone: string): string {
  const since = `${state}${state === 'open' ? ' since' : ', opened'} ${isoTime(at, timeZone)}`;
  const answer = respondBy === null ? '' : `. Answer it by ${isoTime(respondBy, timeZone)} in the provider's dashboard`;
  return `Dispute ${id}: ${[formatMerchantMoney(amount, currency), since, reason].filter(Boolean).join(', ')}${answer}`;
}

export function stockQuestion(number: string): string {
  return (
    `order ${number} was refunded outside the shop or lost to a dispute. If its items came back, ` +
    `run "npm run shop -- orders restock ${number}"; if not, add --none`
  );
}

/** One line such as "order MC-2026-000204: pickup 2026-12-26T11:00-05:00 at main-street, which is closed then". */
export function closedPickupLine({ number, pickupAt, storeId }: OrderHead, timeZone: string): string {
  return `order ${number}: pickup ${pickupAt === null ? '' : isoTime(pickupAt, timeZone)} at ${storeId}, which is closed then`;
}
