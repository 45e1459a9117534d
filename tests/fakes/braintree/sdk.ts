/**
 * Reads from the installed SDK which fields a request to Braintree's API may have, and the names of errors. The fake validates
 * by it, so that it cannot agree with the shop against Braintree. The SDK itself checks sales and client tokens only, and not
 * values that were cast to its types.
 */
import { createRequire } from 'node:module';

const load = createRequire(import.meta.url);

interface Signature {
  valid: string[];
  ignore?: string[];
}

const { TransactionGateway } = load('braintree/lib/braintree/transaction_gateway.js') as {
  TransactionGateway: new (gateway: object) => { _createSignature(): Signature };
};
const { ClientTokenGateway } = load('braintree/lib/braintree/client_token_gateway.js') as {
  ClientTokenGateway: new (gateway: object) => { _generateSignature(): Signature };
};
const { TransactionSearch } = load('braintree/lib/braintree/transaction_search.js') as {
  TransactionSearch: { prototype: object };
};
const { Util } = load('braintree/lib/braintree/util.js') as {
  Util: { verifyKeys(signature: Signature, body: object): Error | undefined };
};
const { ValidationErrorCodes } = load('braintree/lib/braintree/validation_error_codes.js') as {
  ValidationErrorCodes: Record<string, unknown>;
};

/** A refund has no signature in the SDK: https://developer.paypal.com/braintree/docs/reference/request/transaction/refund */
const refundSignature: Signature = { valid: ['amount', 'orderId', 'merchantAccountId'] };

const signatures: readonly { request: RegExp; root: string; signature: Signature }[] = [
  {
    request: /^POST \/client_token$/,
    root: 'client_token',
    signature: new ClientTokenGateway({})._generateSignature(),
  },
  {
    request: /^POST \/transactions$/,
    root: 'transaction',
    signature: new TransactionGateway({})._createSignature(),
  },
  { request: /^POST \/transactions\/\w+\/refund$/, root: 'transaction', signature: refundSignature },
  {
    request: /^POST \/transactions\/advanced_search(_ids)?$/,
    root: 'search',
    signature: { valid: searchFields() },
  },
  // https://developer.paypal.com/braintree/docs/reference/request/settlement-batch-summary/generate
  {
    request: /^POST \/settlement_batch_summary$/,
    root: 'settlement_batch_summary',
    signature: { valid: ['settlementDate', 'groupByCustomField'] },
  },
];
/** Requests without a body. */
const bare: readonly RegExp[] = [
  /^GET \/merchant_accounts$/,
  /^GET \/transactions\/\w+$/,
  /^PUT \/transactions\/\w+\/void$/,
];

/** Every search field, with the operators of its kind: 'orderId[is]', 'ids'. */
function searchFields(): string[] {
  const fields = Object.keys(TransactionSearch.prototype);
  const operators = ['is', 'isNot', 'startsWith', 'endsWith', 'contains', 'min', 'max'];
  return fields.flatMap((field) => [field, ...operators.map((operator) => `${field}[${operator}]`)]);
}

/** The schema errors of a request ('POST /transactions', its parsed body); null if there are none. */
export function requestProblem(
  request: string,
  body: Readonly<Record<string, unknown>> | null,
): string | null {
  const known = signatures.find((each) => each.request.test(request));
  if (!known)
    return body === null && bare.some((each) => each.test(request)) ? null : `${request} is not in the SDK`;
  const { [known.root]: content, ...rest } = body ?? {};
  if (typeof content !== 'object' || content === null) return `${request} has no ${known.root}`;
  if (Object.keys(rest).length > 0)
    return `${request} has more than a ${known.root}: ${Object.keys(rest).join(', ')}`;
  return Util.verifyKeys(known.signature, withoutLists(content))?.message ?? null;
}

/** The signatures name a list by its field alone, whereas the SDK's own flattening adds each index. */
function withoutLists(content: object): object {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]: [string, unknown]) => {
      if (Array.isArray(value)) return [name, ''];
      return [name, typeof value === 'object' && value !== null ? withoutLists(value) : value];
    }),
  );
}

/** The code of a validation error by the SDK's name for it, among those of a group ('Transaction'). */
export function errorCode(group: 'Transaction' | 'CreditCard', name: string): string {
  const code = (ValidationErrorCodes[group] as Record<string, unknown>)[name];
  if (typeof code !== 'string') throw new Error(`The SDK has no validation error ${group}.${name}`);
  return code;
}

/** The SDK's names for a code of transactions or cards; several may share one code. */
export function errorNames(code: string): string[] {
  const groups = [ValidationErrorCodes.Transaction, ValidationErrorCodes.CreditCard] as Record<
    string,
    unknown
  >[];
  return groups.flatMap((group) =>
    Object.entries(group).flatMap(([name, value]) => (value === code ? [name] : [])),
  );
}
