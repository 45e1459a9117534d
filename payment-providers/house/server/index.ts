/** The SPEC's `{host}`: simulates a card gateway. It stores what a real gateway would, and nothing of the card. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { cardErrors } from '#contract/rules/payment.ts';
import type { PaymentInstrument } from '#contract/schemas/order.ts';
import type { Database } from '#db/database.ts';
import { serve } from '#server/http/endpoint.ts';
import { noOrigins } from '#server/http/security-headers.ts';
import {
  type Charge,
  type PaymentOutcome,
  type PaymentProvider,
  RefundRefused,
  type Webhook,
  type WebhookSubject,
} from '#server/modules/payments/providers/provider.ts';
import {
  gatewayNotSetUp,
  type ProviderDefinition,
} from '#server/modules/payments/providers/provider-definition.ts';
import { AppError, validationError } from '#server/platform/errors.ts';
import { house as contract } from '../contract.ts';
import { houseCards, houseChallengeCode, houseChallengeTries } from '../values.ts';
import {
  countTry,
  decideWaiting,
  findCharge,
  type HouseCharge,
  insertCharge,
  insertRefund,
  keepSecret,
  takeBack,
  takenCharges,
} from './charges.repository.ts';
import { createHouseSettlements } from './settlements.ts';
import { evaluateTestCard, failures } from './test-cards.ts';

export const house: ProviderDefinition<HouseProvider, null> = {
  webhookPath: 'house',
  readConfig: null,
  create: (_config, deps) => createHouseProvider(deps),
  keyMode: () => null,
  dashboardUrl: () => null,
  disputeUrl: () => null,

  registerRoutes(app, providerNow, { paying, now }) {
    serve(app, 'postBilling', async ({ session, params, body, lang, request }) => {
      const { paymentInstrucment: card, billingAddress, billVersion } = body;
      // The other gateways have their own forms and calls.
      const provider = await providerNow();
      if (!provider || ![contract.name, contract.gatewayName].some((name) => name === params.gatewayName))
        throw gatewayNotSetUp();
      const errors = cardErrors(card, now());
      return paying.pay(
        session,
        provider.name,
        { input: card, billingAddress, billVersion, errors, address: request.ip },
        lang,
      );
    });
    serve(app, 'houseChallenge', async ({ body }) => {
      const provider = await providerNow();
      if (!provider) throw gatewayNotSetUp();
      const answer = await provider.answer(body.token, body.code);
      if (answer === 'unknown') throw new AppError('CONFLICT', { errorKey: 'payment.challengeUnknown' });
      if (answer === 'wrong') throw validationError({ code: 'payment.challengeWrong' });
      return {};
    });
  },
};

const slowMs = 5000;

/** Agents name a test card by a token, as real gateways give them one. */
const houseTokens: Readonly<Record<string, keyof typeof houseCards>> = {
  house_approve: 'approve',
  house_decline: 'decline',
  house_challenge: 'challenge',
  house_slow: 'slow',
  house_lost: 'answerLost',
};

const houseAgents: NonNullable<PaymentProvider<PaymentInstrument>['agents']> = {
  instruments: ['card'],
  config: { environment: 'test' },
  inputOf({ type, token }) {
    const card = type === 'token' && Object.hasOwn(houseTokens, token) ? houseTokens[token] : undefined;
    return card ? { creditCardNumber: houseCards[card] } : null;
  },
};

export interface HouseProvider extends PaymentProvider<PaymentInstrument> {
  /** 'unknown': no charge waits with that token. After too many wrong answers 'right' means: nothing is left to ask. */
  answer(token: string, code: string): Promise<'right' | 'wrong' | 'unknown'>;
  webhookAbout(reference: string): Promise<Webhook>;
}

export interface HouseDeps {
  db: Database;
  now: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

export function createHouseProvider({ db, now, wait = pause }: HouseDeps): HouseProvider {
  let secret: Promise<string> | null = null;
  /** Generated for each installation on first use. */
  function webhookSecret(): Promise<string> {
    secret ??= keepSecret(db, 'webhook', randomBytes(32).toString('base64url')).catch((error: unknown) => {
      secret = null;
      throw error;
    });
    return secret;
  }

  return {
    name: contract.name,
    browser: noOrigins,
    agents: houseAgents,

    // The gateway identifies attempts by the shop's own references: there is no id to store.
    async start({ reference, amount, currency }, card) {
      const outcome = evaluateTestCard(card.creditCardNumber ?? '');
      const how = outcome.approved ? outcome.how : null;
      if (how === 'slow') await wait(slowMs);
      const charge = await decide(db, now(), {
        reference,
        amount,
        currency,
        state: how === 'challenge' ? 'waiting' : outcome.approved ? 'succeeded' : 'failed',
        error: outcome.approved ? null : outcome.error,
      });
      return how === 'answerLost' ? { state: 'undecided' } : outcomeOf(charge);
    },

    async complete({ reference }) {
      const charge = await findCharge(db.read, reference);
      return charge ? outcomeOf(charge) : { state: 'undecided' };
    },

    cancel: async (charge) => outcomeOf(await endCharge(db, now(), charge)),

    async refund({ reference }, amount, key) {
      await db.transaction(async (trx) => {
        if (!(await insertRefund(trx, { key, reference, amount, at: now() }))) return;
        if (!(await takeBack(trx, reference, amount)))
          throw new RefundRefused('Not so much of the charge is left');
      });
    },

    async parseWebhook(webhook) {
      const reference = referenceIn(webhook, await webhookSecret(), now());
      return reference === null ? null : subjectOf(reference, await findCharge(db.read, reference));
    },

    takenSince: (since) => takenCharges(db.read, since),

    settlements: createHouseSettlements({ db, now }),

    answer: (token, code) => answerChallenge(db, token, code),

    async webhookAbout(reference) {
      const body = Buffer.from(JSON.stringify({ reference }));
      return { headers: { [signatureHeader]: signatureOf(await webhookSecret(), body, now()) }, body };
    },
  };
}

/** A reference keeps its first outcome. */
async function decide(db: Database, at: number, charge: HouseCharge): Promise<HouseCharge> {
  if (await db.transaction((trx) => insertCharge(trx, charge, at))) return charge;
  const standing = await findCharge(db.read, charge.reference);
  if (!standing) throw new Error('A charge that was just written is not there');
  return standing;
}

function endCharge(db: Database, at: number, { reference, amount, currency }: Charge): Promise<HouseCharge> {
  return db.transaction(async (trx) => {
    await insertCharge(trx, { reference, amount, currency, state: 'failed', error: 'cancelled' }, at);
    await decideWaiting(trx, reference, 'cancelled');
    const standing = await findCharge(trx, reference);
    if (!standing) throw new Error('A charge that was just written is not there');
    return standing;
  });
}

function answerChallenge(db: Database, token: string, code: string): ReturnType<HouseProvider['answer']> {
  return db.transaction(async (trx) => {
    if (code.replace(/\s/g, '') === houseChallengeCode)
      return (await decideWaiting(trx, token, null)) ? 'right' : 'unknown';
    const tries = await countTry(trx, token);
    if (tries === null) return 'unknown';
    if (tries < houseChallengeTries) return 'wrong';
    await decideWaiting(trx, token, 'notVerified');
    return 'right';
  });
}

function subjectOf(reference: string, charge: HouseCharge | null): WebhookSubject {
  return charge?.state === 'succeeded' ? { reference, money: charge } : { reference };
}

function outcomeOf({ state, error, reference }: HouseCharge): PaymentOutcome {
  if (state === 'waiting') return { state: 'action', action: { type: 'challenge', token: reference } };
  return error === null ? { state: 'succeeded' } : { state: 'failed', failure: failures[error] };
}

const signatureHeader = 'house-signature';
/** How long a signature is valid, ms, so that a recorded webhook cannot be replayed later. */
const toleranceMs = 5 * 60_000;

/** `t=<epoch ms>,v1=<hex>`. The gateway never sends webhooks itself; these model providers that do. */
function signatureOf(secret: string, body: Buffer, at: number): string {
  return `t=${at},v1=${digest(secret, body, at).toString('hex')}`;
}

/** Null if it is not signed with the secret, or too old. */
function referenceIn({ headers, body }: Webhook, secret: string, now: number): string | null {
  const header = headers[signatureHeader];
  const [, time = '', hex = ''] =
    /^t=(\d{1,16}),v1=([0-9a-f]{64})$/.exec(typeof header === 'string' ? header : '') ?? [];
  if (hex === '') return null;
  const at = Number(time);
  if (Math.abs(now - at) > toleranceMs || !timingSafeEqual(Buffer.from(hex, 'hex'), digest(secret, body, at)))
    return null;
  return readReference(body);
}

function digest(secret: string, body: Buffer, at: number): Buffer {
  return createHmac('sha256', secret).update(`${at}.`).update(body).digest();
}

function readReference(body: Buffer): string | null {
  try {
    const { reference } = JSON.parse(body.toString('utf8')) as { reference?: unknown };
    return typeof reference === 'string' ? reference : null;
  } catch {
    return null;
  }
}
