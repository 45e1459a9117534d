import type { Static, TSchema } from 'typebox';
import type { EndpointName } from './shop/paths.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT';

/**
 * How a call that changes something may arrive again: because its answer was lost, because two people made it at once, or because a
 * device had kept it.
 * `key`: its sender makes a key when a form opens; with the same key it is done once, and answered the same.
 * `seen`: it says what its sender had seen, such as a revision; if that has changed, it is refused or changes nothing.
 * `id`: it brings the id of what it makes; if that is there already, nothing more is made.
 * `same`: it says how something is to be; if it is so already, nothing changes.
 * `used`: it uses up what it brings, such as an invitation or a code.
 * `own`: it makes something of its own that nobody else sees and that expires, such as a session or a ticket.
 */
export type Repeat = 'key' | 'seen' | 'id' | 'same' | 'used' | 'own';

/** What all calls declare. */
export interface EndpointForm {
  /** Below `/api/istore/client/`, such as 'GET productManagement/product/:id'. */
  route: `${HttpMethod} ${string}`;
  summary: string;
  params?: TSchema;
  query: TSchema;
  body?: TSchema;
  response: TSchema;
  statuses?: readonly number[];
}

/** A `public` answer is cached by URL and catalogue version, a `session` answer never. `changes`: needs the client header. */
export type Endpoint = EndpointForm & { audience: 'public' | 'session' } & (
    | { changes?: undefined; repeat?: undefined }
    | { changes: true; repeat: Repeat }
  );

type Part<E, K extends string> = E extends Record<K, infer S extends TSchema> ? Static<S> : undefined;

/**
 * What calls carry, as plain types. An interface extends it, so that the compiler works out a call when it is asked for, and never
 * compares the schemas of calls that it does not know yet, which took half of its time.
 */
export type Carried<Endpoints> = {
  [N in keyof Endpoints]: { [K in 'params' | 'query' | 'body' | 'response']: Part<Endpoints[N], K> };
};

/** SPEC §8; declared in OpenAPI and checked by the tests. */
export const payingStatuses = [401, 402, 404, 422] as const;
const customers = [401, 403] as const;
const checkout = [401] as const;
/** The query or body names something that may not exist. */
const named = [404] as const;

/** The link may have ended. */
const ended = [410] as const;

/** That do not follow from the form of a call. Payment providers declare those of their own calls. */
const ofCalls: Partial<Record<EndpointName, readonly number[]>> = {
  pageContent: named,
  products: named,
  productCount: named,
  productFacets: named,
  productsOnSale: named,
  productsByConditions: named,
  pickupSlots: named,
  readFeed: named,
  submitForm: named,
  deleteCartItem: named,
  signon: [401],
  likeBlogPost: [401],
  orderDeliverInfo: [401, 404],
  orderContactInfo: checkout,
  orderPickupDate: checkout,
  getBilling: [401, 409],
  reserve: payingStatuses,
  resumePayment: payingStatuses,
  cancelPayment: payingStatuses,
  updateUserInfo: customers,
  resetPassword: customers,
  getAddresses: customers,
  updateAddresses: [...customers, 409],
  accountData: customers,
  deleteAccount: customers,
  customerOrders: customers,
  accountSessions: customers,
  endSessions: [...customers, 404],
  orderLink: ended,
  orderLinkCancel: ended,
  orderLinkPickup: ended,
};

/** Only signed-in customers may make the call. */
export function needsCustomer(name: EndpointName): boolean {
  const statuses = ofCalls[name] ?? [];
  return customers.every((status) => statuses.includes(status));
}

/**
 * Besides 200, in order. A change may lack the client header (403) or conflict (409), and what is of a session may be rate limited
 * (429); a body may be too large (413) or of another media type (415); a public answer may be unchanged (304).
 */
export function refusalStatuses(
  name: EndpointName,
  { audience, changes, params, body, statuses: own = [] }: Endpoint,
): number[] {
  const statuses = new Set([
    400,
    414,
    500,
    503,
    ...(audience === 'public' ? [304] : []),
    ...(changes ? [403, 409] : []),
    ...(audience === 'session' ? [429] : []),
    ...(params ? [404] : []),
    ...(body ? [413, 415] : []),
    ...(ofCalls[name] ?? []),
    ...own,
  ]);
  return [...statuses].sort((a, b) => a - b);
}
