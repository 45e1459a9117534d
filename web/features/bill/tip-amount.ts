/** Calculates and parses tips. Amounts are in cents; the server calculates percentages. */
import type { CheckoutMethod } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';

/** The request to the shop (`tips`). */
export type TipRequest = { addTips: false } | { addTips: true; tip: number } | { addTips: true; tipAmount: number };

type Tipped = Pick<Order, 'tips' | 'tipRate' | 'tipAmount'>;

/** Whether tips are offered for this delivery method. */
export function offersTips({ tips }: Pick<Order, 'tips'>, method: CheckoutMethod | null): boolean {
  return method !== null && tips?.methods.includes(method) === true;
}

/** The amount of the chosen tip if the order uses `method`. */
export function chosenTip(order: Tipped, method: CheckoutMethod | null): number {
  if (!offersTips(order, method)) return 0;
  if (order.tipAmount !== null) return order.tipAmount;
  return order.tips?.choices.find(({ percent }) => isRate(percent, order.tipRate))?.amount ?? 0;
}

/** SPEC §9: the rate is the percentage divided by 100. */
export function isRate(percent: number, rate: number): boolean {
  return Math.round(percent * 100) === Math.round(rate * 10_000);
}

/** Parses a typed amount into cents: `5`, `5.50`, `$5,5`, `５元`. Null if it is not an amount. */
export function centsOf(text: string): number | null {
  const plain = text.normalize('NFKC').replace(/[\s$¥€£元]|CA|CAD/gi, '');
  const [, whole = '', part = ''] = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(plain) ?? [];
  return whole === '' ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}
