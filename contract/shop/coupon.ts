import Type from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { SuccessStatus } from '../schemas/account.ts';
import { described } from '../schemas/annotate.ts';
import { Empty, LangQuery, Strict } from '../schemas/common.ts';
import { Order } from '../schemas/order.ts';

const lang = Strict(LangQuery);

export const couponEndpoints = {
  couponVerification: {
    route: 'GET shoppingManagement4/couponVerification/:code',
    summary:
      "Puts a coupon on the cart, in place of another. 404 for a code nobody knows, 409 with the reason for one that does not hold. `status` is 'success'.",
    audience: 'session',
    changes: true,
    params: Strict({ code: Type.String({ maxLength: 200 }) }),
    query: lang,
    response: Type.Object({ status: SuccessStatus, order: Order }),
  },
  removeCoupon: {
    route: 'POST shoppingManagement4/removeCoupon',
    summary: 'Takes the coupon off the cart. No error where there is none.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Empty),
    response: Order,
  },
  tips: {
    route: 'POST shoppingManagement4/tips',
    summary:
      "Chooses a tip: `tip` is one of the shop's percentages, or `tipAmount` an amount of one's own in cents. 0, or `addTips` false, clears it.",
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({
      addTips: described('False clears the tip.', Type.Boolean()),
      tip: Type.Optional(described("One of the shop's percentages.", Type.Number({ minimum: 0, maximum: 1000 }))),
      tipAmount: Type.Optional(described('Cents.', Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
    }),
    response: Order,
  },
} as const satisfies Record<string, Endpoint>;
