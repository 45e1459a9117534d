/**
 * Stripe's HTTP API as far as the shop uses it, for the real SDK to talk to (`host`, `port`, `protocol`).
 *
 * https://docs.stripe.com/api/payment_intents/create · /confirm · /retrieve · /cancel · /list
 * https://docs.stripe.com/api/refunds/create · /list · /disputes/list · /balance_transactions/list · /payouts/list
 * https://docs.stripe.com/api/confirmation_tokens/test_create
 * https://docs.stripe.com/api/authentication · /errors · /idempotent_requests · /expanding_objects · /rate_limits
 *
 * Requests of one intent wait for each other, as Stripe locks the objects it works on:
 * https://docs.stripe.com/rate-limits#object-lock-timeouts
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StripeAccount } from './account.ts';
import { cardOfMethod, cardOfNumber } from './cards.ts';
import { type CallName, type Fault, Faults } from './faults.ts';
import { type Form, listOf, parseForm, recordOf, textOf } from './form.ts';
import { type Answer, IdempotencyKeys } from './idempotency.ts';
import type { Intent, Means } from './objects.ts';
import { invalid, missing, Problem } from './problem.ts';
import { parameterProblem } from './schema.ts';
import { Webhooks } from './webhooks.ts';

export const fakeKeys = {
  publishable: 'pk_test_shopwrightFake',
  secret: 'sk_test_shopwrightFake',
  webhook: 'whsec_shopwrightFake',
} as const;

interface Asked {
  call: CallName;
  /** The id of the object in the path. */
  id: string;
  form: Form;
}

export interface StripeFake {
  /** Such as `http://127.0.0.1:41234`. */
  url: string;
  /** The environment of a shop that uses it. */
  env: Record<string, string>;
  account: StripeAccount;
  faults: Faults;
  keys: IdempotencyKeys;
  webhooks: Webhooks;
  /** The calls so far, such as 'confirm', with their idempotency keys. */
  calls: { call: CallName; key: string | null; form: Form }[];
  /** Creates a confirmation token as the browser does, for one of the ready-made test cards. */
  token(method: string): string;
  /** The cardholder answers the bank, or approves at the other site; webhooks follow. */
  answer(intent: string, agrees: boolean): Promise<void>;
  /** Cuts every connection while `work` runs. */
  down<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The delay of Stripe's answers, ms. */
const wait = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));

const routes: readonly [method: string, path: RegExp, call: CallName][] = [
  ['POST', /^\/v1\/payment_intents$/, 'create'],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/confirm$/, 'confirm'],
  ['GET', /^\/v1\/payment_intents$/, 'list'],
  ['GET', /^\/v1\/payment_intents\/(\w+)$/, 'retrieve'],
  ['POST', /^\/v1\/payment_intents\/(\w+)\/cancel$/, 'cancel'],
  ['POST', /^\/v1\/refunds$/, 'refund'],
  ['GET', /^\/v1\/refunds$/, 'listRefunds'],
  ['GET', /^\/v1\/disputes$/, 'listDisputes'],
  ['GET', /^\/v1\/balance_transactions$/, 'listBalance'],
  ['GET', /^\/v1\/payouts$/, 'listPayouts'],
  ['POST', /^\/v1\/(?:test_helpers\/)?confirmation_tokens$/, 'createToken'],
  ['GET', /^\/v1\/confirmation_tokens\/(\w+)$/, 'retrieveToken'],
  // Not part of Stripe's published API: the call of its browser code after the cardholder has answered the bank.
  ['POST', /^\/v1\/3ds2\/answer\/(\w+)$/, 'answer'],
];

export async function startStripeFake(): Promise<StripeFake> {
  const webhooks = new Webhooks(fakeKeys.webhook);
  const account = new StripeAccount((type, object) => webhooks.note(type, object));
  const faults = new Faults();
  const keys = new IdempotencyKeys();
  const calls: StripeFake['calls'] = [];
  const busy = new Map<string, Promise<unknown>>();
  let down = false;

  async function locked<T>(id: string, work: () => T): Promise<T> {
    const before = busy.get(id);
    const turn = (before ?? Promise.resolve()).then(() => wait(1)).then(work);
    busy.set(
      id,
      turn.catch(() => {}),
    );
    return turn;
  }

  async function perform(asked: Asked): Promise<Answer> {
    const object = await locked(asked.id || asked.call, () => execute(account, asked)).catch(
      (error: unknown) => {
        if (error instanceof Problem && error.executed) return error;
        throw error;
      },
    );
    if (object instanceof Problem) return { status: object.status, body: { error: object.body } };
    return { status: 200, body: structuredClone(object) };
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stripe');
    const text = await bodyOf(request);
    const route = routes.find(([method, path]) => method === request.method && path.test(pathname));
    const key = textHeader(request, 'idempotency-key');
    const found: Asked | null = route
      ? {
          call: route[2],
          id: route[1].exec(pathname)?.[1] ?? '',
          form: parseForm(text || searchParams.toString()),
        }
      : null;
    let fault: Fault | undefined;
    try {
      if (!found)
        throw new Problem(404, {
          type: 'invalid_request_error',
          message: `Unrecognized request URL (${pathname}).`,
        });
      calls.push({ call: found.call, key, form: found.form });
      fault = faults.meet(found.call, `${pathname} ${text}`);
      if (down || fault?.kind === 'cut before') return void request.socket.destroy();
      authorize(request, found, account);
      if (fault?.kind === 'forbidden') throw forbidden(found.call);
      const problem = isServer(request) ? parameterProblem(found.call, found.form) : null;
      if (problem) throw problem;
      await before(fault);
      const run = () => perform(found);
      const result =
        key && request.method === 'POST' ? await keys.run(key, `${pathname} ${text}`, run) : await run();
      await webhooks.deliver();
      if (fault?.kind === 'slow after') await fault.until;
      if (fault?.kind === 'cut after') return void request.socket.destroy();
      if (fault?.kind === 'error after')
        throw new Problem(500, { type: 'api_error', message: 'An unknown error occurred' });
      send(response, result, key);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      send(response, { status: error.status, body: { error: error.body } }, key);
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const url = await listen(server);

  return {
    url,
    env: {
      STRIPE_PUBLISHABLE_KEY: fakeKeys.publishable,
      STRIPE_SECRET_KEY: fakeKeys.secret,
      STRIPE_WEBHOOK_SECRET: fakeKeys.webhook,
      STRIPE_API_URL: url,
    },
    account,
    faults,
    keys,
    webhooks,
    calls,
    token: (method) => account.createToken(meansOf({ payment_method: method })).id,
    async answer(intent, agrees) {
      account.answer(intent, agrees);
      await webhooks.deliver();
    },
    async down(work) {
      down = true;
      try {
        return await work();
      } finally {
        down = false;
      }
    },
    async close() {
      await webhooks.settled();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Runs a call. @throws {Problem} for anything that Stripe rejects */
function execute(account: StripeAccount, { call, id, form }: Asked): object {
  switch (call) {
    case 'create':
      return account.createIntent({
        amount: Number(textOf(form.amount)),
        currency: textOf(form.currency),
        description: textOf(form.description) || null,
        metadata: recordOf(form.metadata) as Record<string, string>,
        excluded_payment_method_types: listOf(form.excluded_payment_method_types),
      });
    case 'confirm':
      return account.confirm(id, textOf(form.confirmation_token), shippingOf(recordOf(form.shipping)));
    case 'retrieve':
      return expanded(account, account.intent(id), form);
    case 'list':
      return listed(account, form);
    case 'cancel':
      return expanded(account, account.cancel(id, null), form);
    case 'answer':
      return account.answer(id, textOf(form.agrees) === 'true');
    case 'refund': {
      const metadata = recordOf(form.metadata) as Record<string, string>;
      return account.refund(
        textOf(form.payment_intent),
        form.amount ? Number(textOf(form.amount)) : undefined,
        metadata,
      );
    }
    case 'listRefunds': {
      const data = ofIntent(account, account.refunds, form);
      return { object: 'list', url: '/v1/refunds', has_more: false, data };
    }
    case 'listDisputes': {
      const data = ofIntent(account, account.disputes, form);
      return { object: 'list', url: '/v1/disputes', has_more: false, data };
    }
    case 'listBalance': {
      const all = account.balance.list({
        payout: textOf(form.payout),
        expand: listOf(form.expand).includes('data.source'),
      });
      return pageOf('/v1/balance_transactions', all, form);
    }
    case 'listPayouts':
      return pageOf('/v1/payouts', [...account.balance.payouts].reverse(), form);
    case 'retrieveToken': {
      const known = account.tokens.get(id);
      if (!known) throw missing('confirmation_token', id, 'confirmation_token');
      const { means, billing, ...token } = known;
      return token;
    }
    case 'createToken': {
      const { means, billing, ...token } = account.createToken(meansOf(form), {
        returnUrl: textOf(form.return_url),
        billing: recordOf(form.payment_method_data).billing_details,
      });
      return token;
    }
  }
}

/** The objects of a list, of the requested intent if there is one. */
function ofIntent<T extends { payment_intent: string }>(
  account: StripeAccount,
  all: readonly T[],
  form: Form,
): T[] {
  if (form.payment_intent === undefined) return [...all];
  const intent = textOf(form.payment_intent);
  if (!account.intents.has(intent)) throw missing('payment_intent', intent, 'payment_intent');
  return all.filter(({ payment_intent }) => payment_intent === intent);
}

/** A page of intents, newest first. https://docs.stripe.com/api/pagination */
function listed(account: StripeAccount, form: Form): object {
  const after = Number(textOf(recordOf(form.created).gte) || 0);
  const all = [...account.intents.values()].filter(({ created }) => created >= after).reverse();
  const start = form.starting_after ? all.findIndex(({ id }) => id === textOf(form.starting_after)) + 1 : 0;
  const page = all.slice(start, start + Number(textOf(form.limit) || 10));
  const expand = listOf(form.expand).map((each) => textOf(each).replace(/^data\./, ''));
  const data = page.map((intent) => expanded(account, intent, { expand }));
  return { object: 'list', url: '/v1/payment_intents', has_more: start + page.length < all.length, data };
}

/** A page of objects created within a range, the newest first. https://docs.stripe.com/api/pagination */
function pageOf<T extends { id: string; created: number }>(
  url: string,
  all: readonly T[],
  form: Form,
): object {
  const range = recordOf(form.created);
  const [from, before] = [
    Number(textOf(range.gte) || 0),
    Number(textOf(range.lt) || Number.POSITIVE_INFINITY),
  ];
  const found = all.filter(({ created }) => created >= from && created < before);
  const start = form.starting_after ? found.findIndex(({ id }) => id === textOf(form.starting_after)) + 1 : 0;
  const limit = Number(textOf(form.limit) || 10);
  if (limit < 1 || limit > 100)
    throw invalid('This value must be less than or equal to 100', { param: 'limit' });
  const data = found.slice(start, start + limit);
  return { object: 'list', url, has_more: start + data.length < found.length, data };
}

function shippingOf({ name, phone, address }: Form): Intent['shipping'] {
  const { line1, line2, city, state, postal_code, country } = recordOf(address);
  if (name === undefined) return null;
  const place = {
    city: textOf(city),
    country: textOf(country),
    line1: textOf(line1),
    line2: textOf(line2) || null,
  };
  return {
    name: textOf(name),
    phone: textOf(phone) || null,
    address: { ...place, postal_code: textOf(postal_code), state: textOf(state) },
  };
}

/** The source of a confirmation token: a ready-made card, or the data typed into the form. */
function meansOf(form: Form): Means {
  const data = recordOf(form.payment_method_data);
  const type = textOf(data.type) || 'card';
  if (type !== 'card') return { type, redirect: true };
  const method = textOf(form.payment_method);
  const card = method ? cardOfMethod(method) : cardOfNumber(textOf(recordOf(data.card).number));
  if (!card)
    throw method
      ? missing('PaymentMethod', method, 'payment_method')
      : invalid('Your card number is invalid.', { code: 'invalid_number' });
  return { type, card };
}

function expanded(account: StripeAccount, intent: { latest_charge: string | null }, form: Form): object {
  if (!listOf(form.expand).includes('latest_charge')) return intent;
  return { ...intent, latest_charge: account.charges.get(intent.latest_charge ?? '') ?? null };
}

/** Secret keys may do everything; publishable keys only what the browser does, and read an intent by its client secret. */
function authorize(request: IncomingMessage, { call, id, form }: Asked, account: StripeAccount): void {
  // The browser's code puts its key into the form, which can be sent across origins without a preflight.
  const key = /^Bearer (.+)$/.exec(textHeader(request, 'authorization') ?? '')?.[1] ?? textOf(form.key);
  if (key === fakeKeys.secret) return;
  if (key !== fakeKeys.publishable)
    throw new Problem(401, {
      type: 'invalid_request_error',
      message: `Invalid API Key provided: ${key.slice(0, 8)}****`,
    });
  const byClientSecret =
    ['retrieve', 'answer'].includes(call) &&
    account.intents.get(id)?.client_secret === textOf(form.client_secret);
  if (call !== 'createToken' && !byClientSecret)
    throw new Problem(403, {
      type: 'invalid_request_error',
      code: 'secret_key_required',
      message: 'This API call cannot be made with a publishable API key.',
    });
}

/** The permissions that restricted keys need. https://docs.stripe.com/keys/restricted-api-keys */
const permissions: Partial<Record<CallName, string>> = {
  create: 'rak_payment_intent_write',
  list: 'rak_payment_intent_read',
  listRefunds: 'rak_charge_read',
  refund: 'rak_charge_write',
  listDisputes: 'rak_dispute_read',
  listBalance: 'rak_balance_transaction_source_read',
  listPayouts: 'rak_payout_read',
  retrieveToken: 'rak_confirmation_token_client_read',
};

function forbidden(call: CallName): Problem {
  const message =
    "The provided key 'rk_test_****ake' does not have the required permissions for this endpoint on account 'acct_fake'. " +
    `Having the '${permissions[call] ?? 'rak_all'}' permission would allow this request to continue.`;
  return new Problem(403, { type: 'invalid_request_error', message });
}

/** Whether the shop's server sent the request, rather than a page. */
function isServer(request: IncomingMessage): boolean {
  return textHeader(request, 'authorization') === `Bearer ${fakeKeys.secret}`;
}

async function before(fault: Fault | undefined): Promise<void> {
  if (fault?.kind === 'slow') await fault.until;
  if (fault?.kind === 'error before')
    throw new Problem(503, { type: 'api_error', message: 'Sorry, try again' });
  if (fault?.kind === 'unauthorized')
    throw new Problem(401, {
      type: 'invalid_request_error',
      message: 'Invalid API Key provided: sk_test_****',
    });
  if (fault?.kind === 'rate limited')
    throw new Problem(429, {
      type: 'invalid_request_error',
      code: 'lock_timeout',
      message: 'This object cannot be accessed right now',
    });
}

function send(
  response: ServerResponse,
  { status, body, replayed }: Answer & { replayed?: true },
  key: string | null,
): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_fake',
    // A browser's calls arrive under the address of Stripe itself.
    'access-control-allow-origin': '*',
    ...(key ? { 'idempotency-key': key } : {}),
    ...(replayed ? { 'idempotent-replayed': 'true' } : {}),
  });
  response.end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function textHeader(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
