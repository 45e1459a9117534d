/**
 * What the Universal Commerce Protocol fixes: its versions, the capabilities that the shop has, and the form of messages and errors
 * (https://ucp.dev/2026-08-25/specification/overview). Bodies are plain JSON; money is in minor units.
 */
import type { FieldErrors } from '#contract/errors.ts';
import type { Locale } from '#contract/locales.ts';
import { tooMany } from '#server/http/validation.ts';
import { type AnyMessageKey, AppError } from '#server/platform/errors.ts';
import { translateAny, translateFieldErrors } from '#server/platform/i18n.ts';

/** The current one first. An agent speaks the one that its profile names. */
export const ucpVersions = ['2026-08-25', '2026-04-08'] as const;
export type UcpVersion = (typeof ucpVersions)[number];
export const [currentVersion, olderVersion] = ucpVersions;
export const shopping = 'dev.ucp.shopping';
export const food = 'dev.ucp.food';
export const permalink = `${shopping}.permalink`;
const locations = 'dev.ucp.common.location';

/** What shop and agent have in common. */
export interface Agreed {
  version: UcpVersion;
  /** Capabilities by name. */
  active: ReadonlySet<string>;
}

/** By the setting `agents`. */
export type Access = 'off' | 'carts' | 'all';

/** What the settings allow. */
export interface Offer {
  access: Access;
  /** Drafts of the protocol: they are in no public profile, and change without notice. */
  drafts: boolean;
}

/** The capabilities that answers are of. */
export const roots = {
  search: `${shopping}.catalog.search`,
  lookup: `${shopping}.catalog.lookup`,
  cart: `${shopping}.cart`,
  checkout: `${shopping}.checkout`,
  order: `${shopping}.order`,
  findStores: `${locations}.search`,
  readStores: `${locations}.lookup`,
  food: `${food}.checkout`,
} as const;
export type Root = (typeof roots)[keyof typeof roots];

interface Capability {
  /** Below the address of the specification. The older version has no folder `shopping`. */
  spec: string;
  /** Left out: the path of `spec`. */
  schema?: string;
  extends?: readonly Root[];
  /** Only where agents may complete a checkout. */
  checkout?: true;
  draft?: true;
  /** Not in the older version. */
  current?: true;
}

const { cart, checkout } = roots;
export const capabilities: Readonly<Record<string, Capability>> = {
  [roots.search]: { spec: 'shopping/catalog/search', schema: 'shopping/catalog_search' },
  [roots.lookup]: { spec: 'shopping/catalog/lookup', schema: 'shopping/catalog_lookup' },
  [cart]: { spec: 'shopping/cart' },
  [checkout]: { spec: 'shopping/checkout', checkout: true },
  [roots.order]: { spec: 'shopping/order', checkout: true },
  [`${shopping}.fulfillment`]: {
    spec: 'fulfillment',
    schema: 'shopping/fulfillment',
    extends: [checkout],
    checkout: true,
  },
  [`${shopping}.discount`]: { spec: 'discount', schema: 'shopping/discount', extends: [checkout, cart] },
  [permalink]: { spec: 'permalink', schema: 'shopping/permalink', current: true },
  [roots.findStores]: { spec: 'common/location/search', schema: 'common/location_search', draft: true },
  [roots.readStores]: { spec: 'common/location/lookup', schema: 'common/location_lookup', draft: true },
  [roots.food]: { spec: 'food/checkout', checkout: true, draft: true },
  [`${food}.fulfillment`]: {
    spec: 'food/extensions/fulfillment',
    schema: 'food/fulfillment',
    extends: [roots.food],
    checkout: true,
    draft: true,
  },
};

/** The names of those that the settings allow in a version. */
export function offeredCapabilities({ access, drafts }: Offer, version: UcpVersion): string[] {
  return Object.entries(capabilities).flatMap(([name, { checkout, draft, current }]) => {
    const isAllowed = (!checkout || access === 'all') && (!draft || drafts);
    return isAllowed && (version === currentVersion || !(draft || current)) ? [name] : [];
  });
}

export interface Message {
  type: 'error' | 'warning' | 'info';
  code: string;
  content: string;
  severity?: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable';
  /** JSONPath (RFC 9535). */
  path?: string | undefined;
}

/** What the agent can correct. */
export const correctable = (code: string, content: string, path?: string): Message => ({
  type: 'error',
  code,
  severity: 'recoverable',
  content,
  path,
});

/** What only a person can do, at the address of `continue_url`. */
export const forBuyer = (code: string, content: string): Message => ({
  type: 'error',
  code,
  severity: 'requires_buyer_input',
  content,
});

/** As JSON, in which fields that are undefined are left out. */
export type Body = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Body;
  headers?: Readonly<Record<string, string>>;
}

/**
 * The protocol's envelope. With `root`, it names the capabilities of the answer: the root's own, and those that extend it, as far
 * as shop and agent both have them.
 */
export function envelope({ version, active }: Agreed, root: Root | null, more: Body = {}): Body {
  const relevant = Object.entries(capabilities).filter(
    ([name, { extends: parents }]) =>
      active.has(name) && root !== null && (name === root || parents?.includes(root)),
  );
  const named = Object.fromEntries(relevant.map(([name]) => [name, [{ version }]]));
  return { version, status: 'success', capabilities: named, ...more };
}

/** By JSON-RPC. */
const invalidParams = -32602;

/** A failure of the protocol itself, which a handler never sees. `rpc` is its code by JSON-RPC. */
export class ProtocolError extends Error {
  override name = 'ProtocolError';
  readonly status: number;
  readonly code: string;
  readonly rpc: number;
  readonly retryAfterS: number | null;
  /** What is wrong, by field; empty if it is no field. */
  readonly messages: readonly Message[];

  constructor(
    status: number,
    code: string,
    content: string,
    { rpc = -32000, retryAfterS = null as number | null, messages = [] as readonly Message[] } = {},
  ) {
    super(content);
    this.status = status;
    this.code = code;
    this.rpc = rpc;
    this.retryAfterS = retryAfterS;
    this.messages = messages;
  }

  /** A request that is wrong in itself is told as an outcome would be. */
  get body(): Body {
    const { code, message: content } = this;
    if (this.rpc !== invalidParams) return { code, content };
    return {
      ucp: { version: currentVersion, status: 'error' },
      messages: this.messages.length > 0 ? this.messages : [correctable(code, content)],
    };
  }
}

export const invalidRequest = (
  content: string,
  code = 'invalid_request',
  messages: readonly Message[] = [],
) => new ProtocolError(400, code, content, { rpc: invalidParams, messages });

/** The fields of a request that do not fit its schema, such as `line_items.0.quantity`. By the protocol, too long a list has a code of its own. */
function invalidFields(errors: FieldErrors<AnyMessageKey>, locale: Locale): ProtocolError {
  const texts = translateFieldErrors(errors, locale);
  const messages = Object.entries(errors).map(([field, error]) => {
    const path = `$.${field}`.replace(/\.(\d+)(?=\.|$)/g, '[$1]');
    const isTooLong = typeof error === 'object' && error.key === tooMany;
    const code = isTooLong ? 'request_too_large' : 'invalid_request';
    return correctable(code, `${path.slice(2)}: ${texts[field] ?? ''}`, path);
  });
  return invalidRequest(messages.map(({ content }) => content).join(' '), 'invalid_request', messages);
}

/** What the shop refuses, which an answer tells. Anything else is thrown on. */
export function refusalOf(error: unknown): AppError {
  if (!(error instanceof AppError) || error.status >= 500 || error.status === 429) throw error;
  return error;
}

/** An error of the shop as one of the protocol; anything else is thrown on. */
export function protocolErrorOf(error: unknown, locale: Locale): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (!(error instanceof AppError)) throw error;
  const { status, details, errorType } = error;
  const content = textOf(error, locale);
  if (errorType === 'RATE_LIMITED')
    return new ProtocolError(429, 'rate_limited', content, {
      retryAfterS: Math.ceil((details.retryAfterMs ?? 1000) / 1000),
    });
  if (status === 400) {
    const { errors } = details;
    return errors && Object.keys(errors).length > 0 ? invalidFields(errors, locale) : invalidRequest(content);
  }
  if (status === 503) return new ProtocolError(503, 'unavailable', content, { retryAfterS: 5 });
  return new ProtocolError(status, errorType.toLowerCase(), content);
}

export function textOf({ details: { errors, errorKey, values } }: AppError, locale: Locale): string {
  if (errors && Object.keys(errors).length > 0)
    return Object.values(translateFieldErrors(errors, locale)).join(' ');
  return translateAny(locale)(errorKey ?? 'error.malformed', values);
}

/** Where the protocol has what the shop's rules call so. */
const paths: readonly (readonly [RegExp, string])[] = [
  [/^contact\.firstName/, '$.buyer.first_name'],
  [/^contact\.lastName/, '$.buyer.last_name'],
  [/^contact\.phoneNumber/, '$.buyer.phone_number'],
  [/^contact\.email/, '$.buyer.email'],
  [/^address|^shippingAddress|^shippingContact/, '$.fulfillment.methods[0].destinations[0]'],
  [/^shippingMethod|^pickupDate/, '$.fulfillment.methods[0].groups[0].selected_option_id'],
  [/^localStoreName/, '$.fulfillment.methods[0].selected_destination_id'],
  [/^methodName/, '$.fulfillment.methods'],
  [/^lineItems/, '$.line_items'],
  [/^billingAddress/, '$.payment.instruments[0].billing_address'],
  [/^code/, '$.discounts.codes'],
];

const missingKeys = /Missing|missing|required/;

/** Errors of fields as messages of a checkout that the agent can correct. */
export function messagesOf(errors: FieldErrors<AnyMessageKey>, locale: Locale): Message[] {
  const texts = translateFieldErrors(errors, locale);
  return Object.entries(errors).map(([field, error]) => {
    const key = typeof error === 'string' ? error : error.key;
    const path = paths.find(([pattern]) => pattern.test(field))?.[1];
    const isAddress = path?.endsWith('destinations[0]') ?? false;
    const code = missingKeys.test(key) ? 'field_required' : isAddress ? 'address_undeliverable' : 'invalid';
    return correctable(code, texts[field] ?? '', path);
  });
}
