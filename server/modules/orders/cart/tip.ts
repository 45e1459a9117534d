/** Stores the chosen tip (SPEC §4, §9). Its amount is calculated with the bill, never sent by the browser. */
import type { Locale } from '#contract/locales.ts';
import { isClean } from '#contract/rules/fields.ts';
import { tipErrors } from '#contract/rules/tip.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { Trx } from '#db/database.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { basisPointsOf } from '../order/billing.ts';
import type { OrderSettings } from '../order/order-settings.ts';
import { type CartDeps, changeCart, requireEditable } from './open-cart.ts';

export interface TipInput {
  addTips: boolean;
  /** One of the shop's percentages. */
  tip?: number;
  /** Cents, instead of a percentage. */
  tipAmount?: number;
}

/**
 * Stores the tip with the cart. It is part of the bill if tips are offered for the cart's delivery method.
 * @throws {AppError} REQUEST_VALIDATION_ERROR for a tip that is not offered, CONFLICT for an empty cart
 */
export async function chooseTip(deps: CartDeps, session: SessionHandle, input: TipInput, locale: Locale): Promise<Order> {
  const { orders } = deps;
  const [settings, buyer] = await Promise.all([orders.settings(), session.get()]);
  const chosen = readTip(input, settings);
  const change = async (trx: Trx) => {
    const cart = buyer && (await orders.findCart(trx, buyer));
    const lines = cart ? await orders.lines(trx, cart) : [];
    if (!cart || lines.length === 0) throw new AppError('CONFLICT', { errorKey: 'rule.cartEmpty' });
    const changed = requireEditable(await orders.changeCart(trx, cart.id, chosen));
    return orders.view(trx, changed, settings, locale, { lines });
  };
  // If the cart is being paid, that payment is ended first.
  return changeCart(deps, session, change, { sameCart: true });
}

function readTip({ addTips, tip = 0, tipAmount }: TipInput, { tips }: OrderSettings) {
  const none = { tip_basis_points: 0, tip_cents: null };
  if (!addTips || (tip === 0 && (tipAmount ?? 0) === 0)) return none;
  if (tips.methods.length === 0) throw validationError({ tip: 'rule.tipNotOffered' });
  if (tipAmount) {
    const errors = tipErrors(tipAmount);
    if (!isClean(errors)) throw validationError(errors);
    return { tip_basis_points: 0, tip_cents: tipAmount };
  }
  if (!tips.percentages.includes(tip)) throw validationError({ tip: 'rule.tipUnknown' });
  return { tip_basis_points: basisPointsOf(tip), tip_cents: null };
}
