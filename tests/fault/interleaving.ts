/**
 * One schedule of what shoppers, providers, clock and merchant do, played against a shop with providers in
 * memory. Between every two steps of a provider other things can happen: each of its steps waits before and
 * after it does what it does for as many further moves as the schedule says, with requests open all the while.
 */
import fc from 'fast-check';
import type { Order } from '#contract/schemas/order.ts';
import type { EndpointName } from '#contract/shop/paths.ts';
import { AppError, OperationError } from '#server/platform/errors.ts';
import type { FakeProvider, Line } from '#tests/fake-provider.ts';
import { address, contact } from '#tests/shop-actions.ts';
import type { CallInput, Shopper, TestApp } from '#tests/test-app.ts';

const minute = 60_000;

/** Two devices of one customer, and a guest after the same goods. */
const shoppers = ['phone', 'laptop', 'guest'] as const;
type Who = (typeof shoppers)[number];
const gateways = ['stripe', 'payPal'] as const;
type Gateway = (typeof gateways)[number];

export type Act =
  | { do: 'put'; who: Who; sku: number; quantity: number }
  | { do: 'set'; who: Who; sku: number; quantity: number }
  | { do: 'coupon'; who: Who; on: boolean }
  | { do: 'tip'; who: Who; cents: number }
  /** By the bill last seen on this device, or whatever the bill is. */
  | { do: 'pay'; who: Who; by: Gateway; answer: FakeProvider['answer']; seen: boolean }
  /** The shopper agrees at the provider; then their browser comes back, or the provider tells, or nobody does. */
  | { do: 'agree'; who: Who; by: Gateway; which: number; then: 'return' | 'webhook' | 'nothing' }
  /** Pays, and agrees, as most shoppers do; some when the hold has run out. */
  | {
      do: 'pay and agree';
      who: Who;
      by: Gateway;
      seen: boolean;
      minutes: number;
      then: 'return' | 'webhook' | 'nothing';
    }
  | { do: 'resume'; who: Who; by: Gateway }
  | { do: 'give up'; who: Who }
  | { do: 'webhook'; by: Gateway; which: number }
  | { do: 'reconcile' }
  | { do: 'wait'; minutes: number }
  | { do: 'line'; by: Gateway; line: Line }
  | { do: 'refund'; which: number; cents: number | null; tip: boolean }
  | { do: 'call off'; which: number };

export interface Schedule {
  /** `together`: the next one begins at the same moment. */
  moves: { act: Act; together: boolean }[];
  /** For how many further moves each step of a provider waits, in the order in which they come. */
  delays: number[];
  units: number;
  /** Whether the carts have the coupon at first. */
  withCoupon: boolean;
  couponLimit: number;
  oncePerCustomer: boolean;
}

const who = fc.constantFrom(...shoppers);
const by = fc.constantFrom(...gateways, 'stripe' as const);
/** Of those there are, the latest first. */
const which = fc.constantFrom(0, 0, 0, 1, 2);
const sku = fc.nat(1);
const quantity = fc.integer({ min: 1, max: 2 });
const kind = <T extends Act['do']>(name: T) => fc.constant(name);
const answer = fc.constantFrom(
  'take' as const,
  'take' as const,
  'take' as const,
  'ask' as const,
  'ask' as const,
  'decline' as const,
);
const line = fc.constantFrom('good' as const, 'good' as const, 'silent' as const, 'lost' as const);
const then = fc.constantFrom('return' as const, 'webhook' as const, 'nothing' as const);

/** With how often each is drawn. */
const acts: [number, fc.Arbitrary<Act>][] = [
  [8, fc.record({ do: kind('pay'), who, by, answer, seen: fc.boolean() })],
  [5, fc.record({ do: kind('agree'), who, by, which, then })],
  [
    4,
    fc.record({
      do: kind('pay and agree'),
      who,
      by: fc.constantFrom(...gateways),
      seen: fc.boolean(),
      minutes: fc.constantFrom(0, 0, 16),
      then,
    }),
  ],
  [2, fc.record({ do: kind('resume'), who, by })],
  [1, fc.record({ do: kind('give up'), who })],
  [2, fc.record({ do: kind('webhook'), by, which })],
  [2, fc.record({ do: kind('put'), who, sku, quantity })],
  [1, fc.record({ do: kind('set'), who, sku, quantity: fc.nat(2) })],
  [1, fc.record({ do: kind('coupon'), who, on: fc.constantFrom(true, true, false) })],
  [1, fc.record({ do: kind('tip'), who, cents: fc.constantFrom(0, 1, 333) })],
  [2, fc.record({ do: kind('reconcile') })],
  [3, fc.record({ do: kind('wait'), minutes: fc.constantFrom(1, 16, 16) })],
  [3, fc.record({ do: kind('line'), by, line })],
  [2, fc.record({ do: kind('refund'), which, cents: fc.constantFrom(null, 100, 5000), tip: fc.boolean() })],
  [1, fc.record({ do: kind('call off'), which })],
];
const act = fc.oneof(...acts.map(([weight, arbitrary]) => ({ weight, arbitrary })));

export const schedules: fc.Arbitrary<Schedule> = fc.record({
  moves: fc.array(fc.record({ act, together: fc.boolean() }), { minLength: 5, maxLength: 16, size: 'max' }),
  delays: fc.array(fc.nat(3), { maxLength: 16, size: 'max' }),
  units: fc.integer({ min: 1, max: 3 }),
  withCoupon: fc.boolean(),
  couponLimit: fc.integer({ min: 1, max: 2 }),
  oncePerCustomer: fc.boolean(),
});

/** Where providers' steps wait, and who is waited for. */
class Gates {
  #delays: number[] = [];
  #waiting: { moves: number; open(): void }[] = [];
  #under = 0;
  #changed: () => void = () => {};

  reset(delays: readonly number[]): void {
    this.#delays = [...delays];
  }

  /** Waits as long as the schedule says for the next step. */
  async pass(): Promise<void> {
    const moves = this.#delays.shift() ?? 0;
    if (moves === 0) return;
    await new Promise<void>((open) => {
      this.#waiting.push({ moves, open });
      this.#changed();
    });
  }

  /** A move is made: whoever has waited for enough of them goes on. */
  step(): void {
    for (const each of this.#waiting) each.moves -= 1;
    const due = this.#waiting.filter(({ moves }) => moves <= 0);
    this.#waiting = this.#waiting.filter(({ moves }) => moves > 0);
    for (const { open } of due) open();
  }

  /** Nobody waits any more. */
  openAll(): void {
    this.#delays = [];
    const all = this.#waiting.splice(0);
    for (const { open } of all) open();
  }

  async run(work: Promise<unknown>): Promise<void> {
    this.#under += 1;
    try {
      await work;
    } finally {
      this.#under -= 1;
      this.#changed();
    }
  }

  /** Until everything that was begun has ended or waits at a gate. */
  async quiet(): Promise<void> {
    while (this.#under > this.#waiting.length)
      await new Promise<void>((changed) => (this.#changed = changed));
  }
}

export interface Cast {
  testApp: TestApp;
  fakes: Record<Gateway, FakeProvider>;
  /** The customer's. */
  phone: Shopper;
  laptop: Shopper;
  email: string;
  skus: readonly [string, string];
}

/** What the calls may answer: everything SPEC §8 has, but no accident. */
const allowedStatuses = [200, 400, 402, 404, 409, 422, 503];

export function createStage({ testApp, fakes, phone, laptop, email, skus }: Cast) {
  const gates = new Gates();
  for (const fake of Object.values(fakes)) fake.around = () => gates.pass();
  let stage: Record<Who, Shopper> = { phone, laptop, guest: phone };
  const bills = new Map<Who, string>();
  let code = '';
  const accidents: string[] = [];

  async function ask<N extends EndpointName>(name: N, on: Who, input: CallInput = {}) {
    const answer = await testApp.ask(name, { session: stage[on], ...input });
    if (!allowedStatuses.includes(answer.status))
      accidents.push(`${name} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** Something that shows the cart: its bill is what the shopper now has before their eyes. */
  async function look<N extends EndpointName>(name: N, on: Who, input: CallInput = {}): Promise<void> {
    const { status, body } = await ask(name, on, input);
    const shown = body as unknown as Partial<Order> & { order?: Order };
    const bill = (shown.order ?? shown).bill;
    if (status === 200 && bill) bills.set(on, bill.billVersion);
  }

  const referenceAt = (gateway: Gateway, index: number) =>
    [...fakes[gateway].charges.keys()].at(-1 - index) ?? 'unknown';

  async function placedAt(index: number): Promise<string | undefined> {
    const rows = testApp.db.read
      .selectFrom('orders')
      .select('order_number')
      .where('placed_at', 'is not', null);
    return (await rows.orderBy('order_number', 'desc').limit(4).execute())[index]?.order_number ?? undefined;
  }

  /** What the merchant does may be refused; then nothing happens. */
  async function atDesk(index: number, work: (number: string) => Promise<unknown>): Promise<void> {
    const number = await placedAt(index);
    if (!number || earlier.has(number)) return;
    await work(number).catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
    });
  }
  let earlier = new Set<string | null>();

  async function perform(move: Act): Promise<void> {
    switch (move.do) {
      case 'put':
        return look('addToCart', move.who, {
          params: { itemName: skus[move.sku] ?? '' },
          body: { quantity: move.quantity },
        });
      case 'set': {
        const itemName = skus[move.sku] ?? '';
        if (move.quantity === 0) return look('deleteCartItem', move.who, { body: { itemName } });
        return look('updateCartItem', move.who, { params: { itemName }, body: { quantity: move.quantity } });
      }
      case 'coupon':
        return move.on
          ? look('couponVerification', move.who, { params: { code } })
          : look('removeCoupon', move.who);
      case 'tip':
        return look('tips', move.who, { body: { addTips: move.cents > 0, tipAmount: move.cents } });
      case 'pay': {
        const seen = move.seen ? bills.get(move.who) : undefined;
        fakes.stripe.answer = move.answer;
        if (move.by === 'payPal') await ask('payPalToken', move.who, { query: seen ? { id: seen } : {} });
        else {
          const body = {
            confirmationToken: 'ctoken_1',
            billingAddress: address,
            ...(seen ? { billVersion: seen } : {}),
          };
          await ask('payByStripe', move.who, { body });
        }
        return;
      }
      case 'pay and agree':
        await perform({ ...move, do: 'pay', answer: 'ask' });
        if (move.minutes > 0) await perform({ ...move, do: 'wait' });
        return perform({ ...move, do: 'agree', which: 0 });
      case 'agree':
        fakes[move.by].approve(referenceAt(move.by, move.which));
        if (move.then === 'return') return perform({ ...move, do: 'resume' });
        return move.then === 'webhook' ? perform({ ...move, do: 'webhook' }) : undefined;
      case 'resume':
        await ask('resumePayment', move.who, { body: { provider: fakes[move.by].name } });
        return;
      case 'give up':
        return look('cancelPayment', move.who, { body: {} });
      case 'webhook':
        await testApp.services.payments
          .webhook(fakes[move.by].name, fakes[move.by].webhookAbout(referenceAt(move.by, move.which)))
          // To be sent again; it may never be.
          .catch((error: unknown) => {
            if (!(error instanceof AppError) || error.details.status !== 503) throw error;
          });
        return;
      case 'reconcile':
        return reconcile();
      case 'wait':
        testApp.clock.advance(move.minutes * minute);
        // As whoever next wants goods has it done.
        await testApp.services.holds.expireHolds();
        return;
      case 'line':
        fakes[move.by].line = move.line;
        return;
      case 'refund':
        return atDesk(move.which, (number) =>
          testApp.services.orderRefunds.refund(number, {
            tip: move.tip,
            reason: 'broken',
            ...(move.cents ? { amount: move.cents } : {}),
          }),
        );
      case 'call off':
        return atDesk(move.which, (number) =>
          testApp.services.orderRefunds.cancelOrder(number, 'called off'),
        );
    }
  }

  /** Refunds that could not be given yet are told of by throwing. */
  const reconcile = () =>
    testApp.services.payments.reconcile().then(
      () => {},
      (error: unknown) => {
        if (!(error instanceof AggregateError)) throw error;
      },
    );

  return {
    /** A cart each for the customer and for a guest who is new, and nothing left of the run before. */
    async set(coupon: string, entered: boolean): Promise<void> {
      code = coupon;
      accidents.length = 0;
      bills.clear();
      stage = { phone, laptop, guest: testApp.shopper() };
      const rows = await testApp.db.read
        .selectFrom('orders')
        .select('order_number')
        .where('placed_at', 'is not', null)
        .execute();
      earlier = new Set(rows.map(({ order_number }) => order_number));
      for (const itemName of skus) await ask('deleteCartItem', 'phone', { body: { itemName } });
      await ask('removeCoupon', 'phone');
      for (const each of ['phone', 'guest'] as const) {
        await ask('addToCart', each, { params: { itemName: skus[0] }, body: { quantity: 1 } });
        const mail = each === 'guest' ? 'guest@example.com' : email;
        await look('orderDeliverInfo', each, { body: { contact: { ...contact, email: mail }, address } });
        if (entered) await look('couponVerification', each, { params: { code } });
      }
    },

    /** Plays the moves. Returns what should not have happened, when all that was begun has ended. */
    async play({ moves, delays }: Pick<Schedule, 'moves' | 'delays'>): Promise<string[]> {
      gates.reset(delays);
      const begun: Promise<void>[] = [];
      for (const { act: next, together } of moves) {
        gates.step();
        begun.push(
          gates
            .run(perform(next))
            .catch((error: unknown) => void accidents.push(`${next.do}: ${String(error)}`)),
        );
        if (!together) await gates.quiet();
      }
      gates.openAll();
      await Promise.all(begun);
      return [...accidents];
    },

    /** Everybody can be reached again, and the time of every hold is over. */
    async settle(): Promise<void> {
      for (const fake of Object.values(fakes)) fake.line = 'good';
      testApp.clock.advance(16 * minute);
      await testApp.services.payments.reconcile();
      await testApp.services.payments.reconcile();
    },
  };
}
