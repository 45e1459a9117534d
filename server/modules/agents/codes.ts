import type { Order } from '#contract/schemas/order.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { isSameCode } from './bodies.ts';
import { type Message, textsOf } from './protocol.ts';
import type { Caller, SalesDeps } from './sales.ts';

/** Applies the codes: an order of this shop takes one, so the first that holds counts. */
export async function applyCodes(
  { couponEntry }: SalesDeps,
  session: SessionHandle,
  { bill }: Order,
  codes: readonly string[],
  { locale, address }: Caller,
): Promise<Message[]> {
  const current = bill.coupon?.state === 'applied' ? bill.coupon.code : null;
  if (bill.coupon && !codes.some((code) => isSameCode(code, bill.coupon?.code ?? ''))) await couponEntry.remove(session, locale);
  let applied = codes.find((code) => current !== null && isSameCode(code, current));
  const messages: Message[] = [];
  for (const [index, code] of codes.entries()) {
    const path = `$.discounts.codes[${index}]`;
    if (code === applied) continue;
    if (applied !== undefined) {
      const content = `${code}: an order takes one code, and ${applied} is applied.`;
      messages.push({ type: 'warning', code: 'discount_code_combination_disallowed', content, path });
      continue;
    }
    try {
      await couponEntry.verify(session, code, address, locale);
      applied = code;
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
      const isExpired = error.details.errorKey?.toLowerCase().includes('expired');
      const reason = textsOf(error, locale).join(' ');
      const content = reason.includes(code) ? reason : `${code}: ${reason}`;
      messages.push({ type: 'warning', code: isExpired ? 'discount_code_expired' : 'discount_code_invalid', content, path });
    }
  }
  return messages;
}
