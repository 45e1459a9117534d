/** The calls that pay: coupon, tip and payment of a cart, and the placed order by its link. */
import Type, { type TSchema } from 'typebox';
import * as contracts from '#payment-providers/contract-registry.ts';
import type { ProviderContract } from '#payment-providers/provider-contract.ts';
import type { Endpoint } from '../endpoint.ts';
import { Success, SuccessStatus } from '../schemas/account.ts';
import { described, Empty, LangQuery, Strict } from '../schemas/common.ts';
import { Order, OrderByLink, PickupTime } from '../schemas/order.ts';
import { DueVersion, GatewayParams, Paid } from '../schemas/payment.ts';

const lang = Strict(LangQuery);

type Contracts = typeof contracts;
type Calls = Contracts[keyof Contracts]['endpoints'];
type NamesIn<T> = T extends unknown ? keyof T : never;

export type ProviderEndpoints = { readonly [N in NamesIn<Calls>]: Extract<Calls, Record<N, Endpoint>>[N] };

const all: readonly ProviderContract[] = Object.values(contracts);
const providerEndpoints = Object.assign({}, ...all.map(({ endpoints }) => endpoints)) as ProviderEndpoints;

/** OpenAPI describes them under names of their own. */
export const providerSchemas: Readonly<Record<string, TSchema>> = Object.assign(
  {},
  ...all.map(({ schemas }) => schemas),
);

/** As stored on orders. */
export const exampleGateway = all.find(({ usedInExamples }) => usedInExamples)?.name ?? '';

/** Any text: an unknown token answers the same, whatever its form. */
const byLink = Strict({ token: Type.String({ minLength: 1, maxLength: 500 }) });

export const paymentEndpoints = {
  couponVerification: {
    route: 'GET shoppingManagement4/couponVerification/:code',
    repeat: 'same',
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
    repeat: 'same',
    summary: 'Takes the coupon off the cart. No error where there is none.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Empty),
    response: Order,
  },
  tips: {
    route: 'POST shoppingManagement4/tips',
    repeat: 'same',
    summary:
      "Chooses a tip: `tip` is one of the shop's percentages, or `tipAmount` an amount of one's own in cents. 0, or `addTips` false, clears it.",
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({
      addTips: described('False clears the tip.', Type.Boolean()),
      tip: Type.Optional(
        described("One of the shop's percentages.", Type.Number({ minimum: 0, maximum: 1000 })),
      ),
      tipAmount: Type.Optional(described('Cents.', Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
    }),
    response: Order,
  },
  getBilling: {
    route: 'GET shoppingManagement4/billing/:gatewayName',
    summary:
      'The order with its bill, before it is paid; with `dueVersion` the placed order, of which something is due.',
    audience: 'session',
    params: GatewayParams,
    query: Strict({
      pickUpAandPayAtStore: Type.Optional(Type.Boolean()),
      dueVersion: Type.Optional(DueVersion),
      ...LangQuery,
    }),
    response: Order,
  },
  resumePayment: {
    route: 'POST shoppingManagement4/resumePayment',
    repeat: 'same',
    summary:
      'The shopper has done what the provider asked of them: asks it what became of the payment. Sending it twice is one.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ provider: Type.String({ maxLength: 40 }), dueVersion: Type.Optional(DueVersion) }),
    response: Paid,
  },
  cancelPayment: {
    route: 'POST shoppingManagement4/cancelPayment',
    repeat: 'same',
    summary:
      'The shopper gives up a payment that was begun. The cart is theirs again; where it was too late, the placed order.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Strict({ dueVersion: Type.Optional(DueVersion) })),
    response: Order,
  },
  ...providerEndpoints,
  // All calls of a link count against the caller's network, so that the first changes something as well.
  orderLink: {
    route: 'GET orderLink/:token',
    repeat: 'own',
    summary:
      'The order of a link from an email, without what identifies its buyer. 410 for a link that ended or was revoked.',
    audience: 'session',
    changes: true,
    params: byLink,
    query: lang,
    response: OrderByLink,
  },
  orderLinkCancel: {
    route: 'POST orderLink/:token/cancel',
    repeat: 'same',
    summary: 'Cancels a reservation that has not been paid. Cancelling it again changes nothing.',
    audience: 'session',
    changes: true,
    params: byLink,
    query: lang,
    body: Type.Optional(Strict({})),
    response: OrderByLink,
  },
  orderLinkPickup: {
    route: 'POST orderLink/:token/pickup',
    repeat: 'same',
    summary: 'Moves the pickup to another time of its store.',
    audience: 'session',
    changes: true,
    params: byLink,
    query: lang,
    body: PickupTime,
    response: OrderByLink,
  },
  orderLinkRevoke: {
    route: 'POST orderLink/:token/revoke',
    repeat: 'same',
    summary: 'Revokes all links to the order.',
    audience: 'session',
    changes: true,
    params: byLink,
    query: lang,
    body: Type.Optional(Strict({})),
    response: Success,
  },
} as const satisfies Record<string, Endpoint>;
