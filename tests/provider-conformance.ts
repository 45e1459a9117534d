/** The contract of payment providers as a test suite, which each provider's own test runs. The shop relies on nothing else. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type {
  Attempt,
  Charge,
  PaymentAction,
  PaymentFailure,
  PaymentOutcome,
  PaymentProvider,
  Webhook,
} from '#server/modules/payments/providers/provider.ts';
import { RefundRefused } from '#server/modules/payments/providers/provider.ts';

/** One course of an attempt: the browser's input, and the customer's action if the provider requires one. */
export interface Way {
  input: unknown;
  /** Left out: no action is required or taken. The provider is asked again afterwards. */
  act?(action: PaymentAction, attempt: Attempt): Promise<void>;
}

/** A provider under test, and the means to control what happens at it. */
export interface Subject {
  provider: PaymentProvider;
  ways: {
    /** Ends in a charge. */
    approve: Way;
    /** Requires an action from the customer, who completes it and is charged. Left out if the provider never requires one. */
    action?: Way;
    /** Requires an action from the customer, who fails or refuses it. */
    actionFailed?: Way;
  } & Partial<Record<PaymentFailure['errorType'], Way>>;
  /** Amounts that are charged as they are in currencies without, and with three, decimals; null for a currency that it does not take. */
  amounts: Readonly<Record<(typeof otherCurrencies)[number], number | null>>;
  /** The amount the provider has taken for a reference, less refunds, in the smallest unit that it counts in. */
  taken(reference: string): Promise<number>;
  /** A webhook about an attempt as the provider would send it now, signed. */
  webhookAbout(attempt: Attempt): Promise<Webhook>;
  /** While `work` runs, the provider carries out requests, but its answers do not arrive in time. */
  loseAnswers<T>(work: (way: Way) => Promise<T>): Promise<T>;
  /** The provider cannot be reached while `work` runs. Null: it runs inside the shop. */
  whileDown: (<T>(work: () => Promise<T>) => Promise<T>) | null;
}

const amount = 4972;
const otherCurrencies = ['JPY', 'KRW', 'KWD'] as const;
const errorTypes = ['TRANSACTION_ERROR', 'VALIDATION_ERROR', 'AUTHORIZATION_ERROR', 'SYSTEM_ERROR'] as const;

/** An attempt as the shop stores it. */
class Begun {
  readonly charge: Charge;
  readonly provider: PaymentProvider;
  providerId: string | null = null;

  constructor(
    provider: PaymentProvider,
    money: Pick<Charge, 'amount' | 'currency'> = { amount, currency: 'CAD' },
  ) {
    this.provider = provider;
    this.charge = { reference: randomUUID(), orderId: randomUUID(), ...money, locale: 'en' };
  }

  get attempt(): Attempt {
    return { ...this.charge, providerId: this.providerId };
  }

  start = ({ input }: Way): Promise<PaymentOutcome> =>
    this.provider.start(this.charge, input, async (providerId) => {
      this.providerId = providerId;
    });

  /** Runs as in the shop: after a lost answer, the outcome is requested again. */
  async run(way: Way): Promise<PaymentOutcome> {
    const outcome = await this.start(way).catch(undecided);
    if (outcome.state === 'action' && way.act) await way.act(outcome.action, this.attempt);
    else if (outcome.state !== 'undecided') return outcome;
    return this.provider.complete(this.attempt);
  }
}

const undecided = (): PaymentOutcome => ({ state: 'undecided' });
const succeeded = { state: 'succeeded' };

export function conformsAsProvider(open: () => Promise<Subject>): void {
  describe('conformance of a payment provider', () => {
    let subject: Subject;
    beforeAll(async () => {
      subject = await open();
    });
    const begin = () => new Begun(subject.provider);
    const taken = (begun: Begun) => subject.taken(begun.charge.reference);
    const paid = async (): Promise<Begun> => {
      const begun = begin();
      expect(await begun.run(subject.ways.approve)).toEqual(succeeded);
      return begun;
    };

    it('a payment charges exactly the requested amount', async () => {
      const begun = await paid();
      expect(await taken(begun)).toBe(amount);
      expect(await subject.provider.complete(begun.attempt)).toEqual(succeeded);
      expect(await taken(begun)).toBe(amount);
    });

    it.each(otherCurrencies)(
      'an amount of %s is charged, listed and refunded in its own smallest unit, or refused',
      async (currency) => {
        const { provider, ways, amounts } = subject;
        const own = amounts[currency];
        const begun = new Begun(provider, { amount: own ?? amount, currency });
        const outcome = await begun.run(ways.approve);
        expect(outcome.state).toBe(own === null ? 'failed' : 'succeeded');
        expect(await taken(begun)).toBe(own ?? 0);
        if (own === null) return;
        await provider.refund(begun.attempt, own - 1000, randomUUID());
        expect(await taken(begun)).toBe(1000);
        const activity = await provider.activity?.(begun.attempt);
        expect(activity?.refunds ?? [{ amount: own - 1000 }]).toMatchObject([{ amount: own - 1000 }]);
        const listed = (await provider.takenSince?.(Date.UTC(2026, 4, 15))) ?? [];
        expect(listed.filter(({ reference }) => reference === begun.charge.reference)).toMatchObject(
          provider.takenSince ? [{ amount: own, currency, refunded: own - 1000 }] : [],
        );
      },
    );

    it('a payment is charged once, however often and whenever the provider is asked', async () => {
      const { provider, ways } = subject;
      const begun = begin();
      const first = await Promise.all(
        Array.from({ length: 4 }, () => begun.start(ways.approve).catch(undecided)),
      );
      const action = first.find((outcome) => outcome.state === 'action');
      if (action?.state === 'action') await ways.approve.act?.(action.action, begun.attempt);
      await Promise.all(Array.from({ length: 4 }, () => provider.complete(begun.attempt).catch(undecided)));
      expect(await provider.complete(begun.attempt)).toEqual(succeeded);
      expect(await begun.start(ways.TRANSACTION_ERROR ?? ways.approve)).toEqual(succeeded);
      expect(await taken(begun)).toBe(amount);
    });

    it('a charge whose answer was lost is found by asking again', async () => {
      const begun = begin();
      const ask = async (way: Way) => {
        const outcome = await begun.start(way).catch(undecided);
        // An action required of the customer is not an outcome yet.
        if (outcome.state !== 'action') return outcome;
        await way.act?.(outcome.action, begun.attempt);
        return subject.provider.complete(begun.attempt).catch(undecided);
      };
      expect(await subject.loseAnswers(ask)).toEqual({ state: 'undecided' });
      // Requested again, it is still the same attempt, wherever the answer was lost.
      expect(await begun.run(subject.ways.approve)).toEqual(succeeded);
      expect(await taken(begun)).toBe(amount);
    });

    it.each(errorTypes)('a payment that fails with %s charges nothing', async (type) => {
      const way = subject.ways[type];
      if (!way) return;
      const begun = begin();
      const outcome = await begun.run(way);
      expect(outcome).toMatchObject({ state: 'failed', failure: { errorType: type } });
      expect(await taken(begun)).toBe(0);
      // Final: the same reference never succeeds.
      expect((await begun.start(subject.ways.approve)).state).toBe('failed');
      expect((await subject.provider.complete(begun.attempt)).state).toBe('failed');
      expect((await subject.provider.cancel(begun.attempt)).state).toBe('failed');
      expect(await taken(begun)).toBe(0);
    });

    it('an attempt that was not started is unknown to the provider', async () => {
      expect(await subject.provider.complete(begin().attempt)).toEqual({ state: 'undecided' });
    });

    describe('payments that wait for the shopper', () => {
      it('a waiting payment says what it waits for and is charged only afterwards', async () => {
        const { ways, provider } = subject;
        if (!ways.action?.act) return;
        const begun = begin();
        const outcome = await begun.start(ways.action);
        expect(outcome).toMatchObject({
          state: 'action',
          action: { type: expect.any(String), token: expect.any(String) },
        });
        expect(await provider.complete(begun.attempt)).toEqual(outcome);
        expect(await taken(begun)).toBe(0);
        if (outcome.state === 'action') await ways.action.act(outcome.action, begun.attempt);
        expect(await provider.complete(begun.attempt)).toEqual(succeeded);
        expect(await taken(begun)).toBe(amount);
      });

      it('a waiting payment fails when the shopper fails', async () => {
        const { ways } = subject;
        if (!ways.actionFailed) return;
        const begun = begin();
        expect(await begun.run(ways.actionFailed)).toMatchObject({ state: 'failed' });
        expect(await taken(begun)).toBe(0);
      });

      it('a waiting payment that is cancelled charges nothing, whatever the shopper does', async () => {
        const { ways, provider } = subject;
        if (!ways.action?.act) return;
        const begun = begin();
        const outcome = await begun.start(ways.action);
        expect(await provider.cancel(begun.attempt)).toMatchObject({ state: 'failed' });
        // A provider may reject them, or let them continue without effect.
        if (outcome.state === 'action') await ways.action.act(outcome.action, begun.attempt).catch(() => {});
        expect(await provider.complete(begun.attempt)).toMatchObject({ state: 'failed' });
        expect(await taken(begun)).toBe(0);
      });

      it('a waiting payment that is completed and cancelled at once ends as one of the two', async () => {
        const { ways, provider } = subject;
        if (!ways.action?.act) return;
        const begun = begin();
        const outcome = await begun.start(ways.action);
        if (outcome.state === 'action') await ways.action.act(outcome.action, begun.attempt);
        await Promise.all([
          provider.complete(begun.attempt).catch(undecided),
          provider.cancel(begun.attempt).catch(undecided),
        ]);
        const last = await provider.cancel(begun.attempt);
        expect(['succeeded', 'failed']).toContain(last.state);
        expect(await taken(begun)).toBe(last.state === 'succeeded' ? amount : 0);
      });
    });

    it('a payment cancelled before its start never starts', async () => {
      const begun = begin();
      expect(await subject.provider.cancel(begun.attempt)).toMatchObject({ state: 'failed' });
      expect(await begun.run(subject.ways.approve)).toMatchObject({ state: 'failed' });
      expect(await taken(begun)).toBe(0);
    });

    it('a payment cancelled too late reports its success', async () => {
      const begun = await paid();
      expect(await subject.provider.cancel(begun.attempt)).toEqual(succeeded);
      expect(await taken(begun)).toBe(amount);
    });

    it('a payment started and cancelled at once ends as one of the two', async () => {
      const { provider, ways } = subject;
      const begun = begin();
      await Promise.all([
        begun.start(ways.approve).catch(undecided),
        provider.cancel(begun.attempt).catch(undecided),
      ]);
      const last = await provider.cancel(begun.attempt);
      expect(['succeeded', 'failed']).toContain(last.state);
      expect(await begun.run(ways.approve)).toMatchObject({ state: last.state });
      expect(await taken(begun)).toBe(last.state === 'succeeded' ? amount : 0);
    });

    describe('refunds', () => {
      it('a full refund is given once for one key', async () => {
        const { provider } = subject;
        const begun = await paid();
        const key = randomUUID();
        await provider.refund(begun.attempt, amount, key);
        await provider.refund(begun.attempt, amount, key);
        expect(await taken(begun)).toBe(0);
      });

      it('a partial refund is given once for each key', async () => {
        const { provider } = subject;
        const begun = await paid();
        const [first, second] = [randomUUID(), randomUUID()];
        await provider.refund(begun.attempt, 1000, first);
        await provider.refund(begun.attempt, 1000, second);
        await provider.refund(begun.attempt, 1000, first);
        expect(await taken(begun)).toBe(amount - 2000);
        await expect(provider.refund(begun.attempt, amount - 1999, randomUUID())).rejects.toThrow(
          RefundRefused,
        );
        expect(await taken(begun)).toBe(amount - 2000);
      });

      it('a refund above the payment, or of an unpaid attempt, is rejected', async () => {
        const { provider } = subject;
        const begun = await paid();
        await expect(provider.refund(begun.attempt, amount + 1, randomUUID())).rejects.toThrow(RefundRefused);
        expect(await taken(begun)).toBe(amount);
        await expect(provider.refund(begin().attempt, 1, randomUUID())).rejects.toThrow();
      });
    });

    it('a payment that was taken is listed with its amount and refunds, and no other is', async () => {
      const { provider, ways } = subject;
      const begun = await paid();
      const failed = begin();
      if (ways.TRANSACTION_ERROR) await failed.run(ways.TRANSACTION_ERROR);
      await provider.refund(begun.attempt, 1000, randomUUID());
      const listed = (await provider.takenSince?.(Date.UTC(2026, 4, 15))) ?? [];
      const { reference } = begun.charge;
      expect(listed.map((each) => each.reference)).not.toContain(failed.charge.reference);
      expect(listed.filter((each) => each.reference === reference)).toMatchObject([
        {
          reference,
          amount,
          currency: 'CAD',
          refunded: 1000,
          id: expect.stringMatching(/./),
          at: expect.any(Number),
        },
      ]);
    });

    describe('webhooks', () => {
      it('a webhook names its attempt, before the shopper is back and after', async () => {
        const { provider, ways } = subject;
        const begun = begin();
        const outcome = await begun.start(ways.approve).catch(undecided);
        if (outcome.state === 'action') await ways.approve.act?.(outcome.action, begun.attempt);
        const webhook = await subject.webhookAbout(begun.attempt);
        expect(await provider.parseWebhook(webhook)).toMatchObject({ reference: begun.charge.reference });
        expect(await provider.complete(begun.attempt)).toEqual(succeeded);
        // A repeated webhook yields the same subject.
        expect(await provider.parseWebhook(webhook)).toMatchObject({ reference: begun.charge.reference });
        expect(await taken(begun)).toBe(amount);
      });

      it('a webhook that never arrives is not needed', async () => {
        const { provider, ways } = subject;
        const begun = begin();
        const outcome = await begun.start(ways.approve).catch(undecided);
        if (outcome.state === 'action') await ways.approve.act?.(outcome.action, begun.attempt);
        expect(await provider.complete(begun.attempt)).toEqual(succeeded);
      });

      it('a webhook is trusted only with its signature', async () => {
        const { provider } = subject;
        const begun = await paid();
        const { headers, body } = await subject.webhookAbout(begun.attempt);
        const other = Buffer.from(
          body.toString('latin1').replace(begun.charge.reference, randomUUID()),
          'latin1',
        );
        const longer = Buffer.concat([body, Buffer.from(' ')]);
        for (const altered of [other, longer].filter((each) => !each.equals(body)))
          expect(await provider.parseWebhook({ headers, body: altered })).toBeNull();
        expect(await provider.parseWebhook({ headers: {}, body })).toBeNull();
        const scrambled = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            typeof value === 'string' ? scrambledAtEnd(value) : value,
          ]),
        );
        expect(await provider.parseWebhook({ headers: scrambled, body })).toBeNull();
        for (const nonsense of ['', '{}', '{"reference":"x","outcome":{"state":"succeeded"}}', '\0\xff'])
          expect(await provider.parseWebhook({ headers: {}, body: Buffer.from(nonsense) })).toBeNull();
      });
    });

    it('a provider that is out of reach leaves payments open and completes them later', async () => {
      const { provider, ways, whileDown } = subject;
      if (!whileDown) return;
      const begun = begin();
      await whileDown(async () => {
        expect((await begun.start(ways.approve).catch(undecided)).state).toBe('undecided');
        expect((await provider.complete(begun.attempt).catch(undecided)).state).toBe('undecided');
        await expect(provider.refund(begun.attempt, 1, randomUUID())).rejects.not.toThrow(RefundRefused);
      });
      expect(await taken(begun)).toBe(0);
      const paidBefore = await paid();
      const key = randomUUID();
      await whileDown(() =>
        expect(provider.refund(paidBefore.attempt, amount, key)).rejects.not.toThrow(RefundRefused),
      );
      await provider.refund(paidBefore.attempt, amount, key);
      expect(await taken(paidBefore)).toBe(0);
    });
  });
}

/** Always a different text of the same length. */
function scrambledAtEnd(text: string): string {
  return `${text.slice(0, -2)}${text.endsWith('00') ? '11' : '00'}`;
}
