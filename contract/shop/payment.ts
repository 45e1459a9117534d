import Type, { type TSchema } from 'typebox';
import * as contracts from '#payment-providers/contract-registry.ts';
import type { ProviderContract } from '#payment-providers/provider-contract.ts';
import type { Endpoint } from '../endpoint.ts';
import { LangQuery, Strict } from '../schemas/common.ts';
import { Order } from '../schemas/order.ts';
import { DueVersion, GatewayParams, Paid } from '../schemas/payment.ts';

type Contracts = typeof contracts;
type Calls = Contracts[keyof Contracts]['endpoints'];
type NamesIn<T> = T extends unknown ? keyof T : never;

export type ProviderEndpoints = { readonly [N in NamesIn<Calls>]: Extract<Calls, Record<N, Endpoint>>[N] };

const all: readonly ProviderContract[] = Object.values(contracts);
const providerEndpoints = Object.assign({}, ...all.map(({ endpoints }) => endpoints)) as ProviderEndpoints;

/** OpenAPI describes them under names of their own. */
export const providerSchemas: Readonly<Record<string, TSchema>> = Object.assign({}, ...all.map(({ schemas }) => schemas));

/** As stored on orders. */
export const exampleGateway = all.find(({ usedInExamples }) => usedInExamples)?.name ?? '';

const lang = Strict(LangQuery);

export const paymentEndpoints = {
  getBilling: {
    route: 'GET shoppingManagement4/billing/:gatewayName',
    summary: 'The order with its bill, before it is paid; with `dueVersion` the placed order, of which something is due.',
    audience: 'session',
    params: GatewayParams,
    query: Strict({ pickUpAandPayAtStore: Type.Optional(Type.Boolean()), dueVersion: Type.Optional(DueVersion), ...LangQuery }),
    response: Order,
  },
  resumePayment: {
    route: 'POST shoppingManagement4/resumePayment',
    summary: 'The shopper has done what the provider asked of them: asks it what became of the payment. Sending it twice is one.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Strict({ provider: Type.String({ maxLength: 40 }), dueVersion: Type.Optional(DueVersion) }),
    response: Paid,
  },
  cancelPayment: {
    route: 'POST shoppingManagement4/cancelPayment',
    summary: 'The shopper gives up a payment that was begun. The cart is theirs again; where it was too late, the placed order.',
    audience: 'session',
    changes: true,
    query: lang,
    body: Type.Optional(Strict({ dueVersion: Type.Optional(DueVersion) })),
    response: Order,
  },
  ...providerEndpoints,
} as const satisfies Record<string, Endpoint>;
