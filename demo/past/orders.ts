/** The life of an order of the demo's past: placed by its buyer, then made, sent or handed over by the shop, each at its time. */
import type { CounterKind } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import { AppError } from '#server/platform/errors.ts';
import type { SessionHandle } from '#server/platform/sessions/sessions.service.ts';
import { dayMs, minuteMs } from '#server/platform/time-zone.ts';
import { approvedCard } from '../customer.ts';
import coupons from '../data/coupons.json' with { type: 'json' };
import { type Chance, chanceOf } from './chance.ts';
import { chooseGoods, type Levels, type Wanted } from './goods.ts';
import { addressNearby, type Buyer, type BuyerAddress } from './people.ts';
import { bikeZone, type PlannedOrder, pickupTime, shippingTime, storeOf } from './plan.ts';
import type { PastShop, Person } from './shop.ts';

/** A cart, and what its buyer chooses of it. */
export interface Purchase {
  buyer: Buyer;
  kind: PlannedOrder['kind'];
  store: string | null;
  wanted: readonly Wanted[];
  /** Where it is sent; by default their own address. */
  address?: BuyerAddress;
  shippingMethod?: string;
  table?: string;
  pickupAt?: number;
  coupon?: string;
  /** Percent. */
  tip?: number;
  comment?: string;
  /** Left out: paid at the store, if the shop lets so much be paid there. */
  card?: keyof typeof cards;
}

export interface Placed {
  id: string;
  number: string;
  order: Order;
}

/** Test cards of the demo's gateway (docs/how-to/payments.md). */
const cards = { approve: approvedCard, decline: '4000000000000002' } as const;

const cardOf = (buyer: Buyer, card: keyof typeof cards) => ({
  cardHolderName: `${buyer.firstName} ${buyer.lastName}`,
  creditCardNumber: cards[card],
  cardCode: '123',
  expirationMonth: 12,
  expirationYear: 2039,
});

/** Places an order as its buyer does, by the calls of the shop. */
export async function place(shop: PastShop, purchase: Purchase): Promise<Placed> {
  const { services } = shop;
  const { buyer, kind, wanted, card } = purchase;
  const { locale, network } = buyer;
  const session = await enter(shop, buyer);
  for (const { sku, ...item } of wanted) await services.cart.add(session, sku, item, locale);
  let order = await choose(shop, session, purchase);
  if (kind === 'pickup' && purchase.pickupAt !== undefined)
    order = await services.checkout.pickupDate(session, purchase.pickupAt, locale);
  if (purchase.comment) order = await services.cart.comment(session, purchase.comment, locale);
  // One that does not count is left out, as buyers do.
  if (purchase.coupon) {
    order = await services.couponEntry.verify(session, purchase.coupon, network, locale).catch(() => order);
  }
  if (purchase.tip) order = await services.cart.tip(session, { addTips: true, tip: purchase.tip }, locale);
  const { billVersion } = order.bill;
  const pay = (by: keyof typeof cards) =>
    services.paying.pay(
      session,
      'house',
      {
        input: cardOf(buyer, by),
        billVersion,
        address: network,
        errors: {},
        ...(kind === 'table' ? {} : { billingAddress: buyer.address }),
      },
      locale,
    );
  // Their bank declines the first card; the second one is taken.
  if (card === 'decline') await pay('decline').catch(() => null);
  const reserve = () =>
    services.checkout.reserve(session, billVersion, network, locale).catch((error: unknown) => {
      // Of what is too much for that, only a card is offered.
      if (!isOfPaymentMethod(error)) throw error;
      return pay('approve');
    });
  const { orderID } = card === undefined ? await reserve() : await pay('approve');
  if (!orderID) throw new Error('The order was not placed');
  const placed = await services.orders.placedOrder(orderID, await session.get(), locale);
  return { id: orderID, number: placed.orderNumber ?? '', order: placed };
}

const isOfPaymentMethod = (error: unknown) =>
  error instanceof AppError && 'paymentMethod' in (error.details.errors ?? {});

async function enter({ services, db, at }: PastShop, buyer: Buyer): Promise<SessionHandle> {
  const session = services.sessions.open(null, buyer.network);
  if (!buyer.hasAccount) return session;
  const { id, email, firstName, lastName, phone, address, locale } = buyer;
  const resolved = await services.orders.settings().then(({ countries }) => {
    const country = countries.find(({ countryISOCode }) => countryISOCode === address.countryISOCode);
    return {
      ...address,
      country: country?.name.en ?? '',
      provinceCode: null,
      addressDescription: '',
      contactPhone: phone,
    };
  });
  await services.accounts.import({
    id,
    firstName,
    lastName,
    email,
    mobilePhone: phone,
    language: locale,
    createdAt: at,
    password: crypto.randomUUID(),
    acceptNewsletter: firstName.length % 2 === 0,
    shippingAddresses: [resolved],
    billingAddresses: [resolved],
  });
  await db.transaction((trx) => session.signOn(trx, id));
  return session;
}

function choose({ services }: PastShop, session: SessionHandle, purchase: Purchase): Promise<Order> {
  const { buyer, kind, store, table, address = buyer.address, shippingMethod } = purchase;
  const { firstName, lastName, email, phone, locale, network } = buyer;
  const contact = { firstName, lastName, email, phoneNumber: phone };
  if (kind === 'parcel' || kind === 'bike')
    return services.checkout.deliver(
      session,
      { address, contact, ...(shippingMethod ? { shippingMethod } : {}) },
      network,
      locale,
    );
  const visit = { localStoreName: store ?? undefined, tableNumber: table, partySize: '2' };
  const methodName = kind === 'table' ? ('instore' as const) : ('pickup' as const);
  // Guests of a table say their name at most.
  const known = kind === 'table' ? { firstName } : contact;
  return services.checkout.visit(session, { ...visit, methodName, contact: known }, locale);
}

/** Of stores outside Toronto nobody else is there. */
const atCounter = (store: string | null): Person => (store === 'toronto-queen-west' ? 'noah' : 'mei');

const declined = 0.015;

/** An order of the plan from its beginning to its end. The clock of the shop is at its last step then. */
export async function liveOrder(shop: PastShop, planned: PlannedOrder, levels: Levels): Promise<void> {
  const chance = chanceOf(`order ${planned.index}`);
  const { kind, store, buyer, fate, at } = planned;
  shop.at = at;
  const pickupAt = kind === 'pickup' && store ? pickupTime(store, at, chance) : undefined;
  const wanted = chooseGoods(planned, pickupAt ?? at, levels, chance);
  const inStore = kind === 'table' || kind === 'pickup';
  const paysThere = inStore && (fate === 'notCollected' || chance.happens(kind === 'table' ? 0.6 : 0.4));
  const coupon = couponOf(planned, chance);
  const placed = await place(shop, {
    buyer,
    kind,
    store,
    wanted,
    ...(kind === 'bike'
      ? { address: addressNearby(chance), shippingMethod: bikeZone(store).shippingMethod }
      : {}),
    ...(kind === 'table' && store ? { table: String(chance.whole(1, storeOf(store).tables)) } : {}),
    ...(pickupAt === undefined ? {} : { pickupAt }),
    ...(coupon ? { coupon } : {}),
    ...(inStore && chance.happens(0.35) ? { tip: chance.one([10, 15, 20]) } : {}),
    ...(paysThere ? {} : { card: chance.happens(declined) ? 'decline' : 'approve' }),
  });
  const isPaid = (placed.order.due ?? 0) === 0;
  await steps[kind](shop, { planned, placed, pickupAt, paysThere: paysThere && !isPaid, chance });
}

const midAutumn = coupons.find(({ code }) => code === 'MOON26');

function couponOf({ kind, fate, at }: PlannedOrder, chance: Chance): string | null {
  if (kind === 'table' || fate !== 'usual' || !chance.happens(0.16)) return null;
  const day = new Date(at).toISOString().slice(0, 10);
  // `day` is UTC's, and a coupon counts by the days of the shop: its first and its last one are left out.
  const inSeason =
    midAutumn?.startsOn && midAutumn.endsOn && day > midAutumn.startsOn && day < midAutumn.endsOn;
  const seasonal = inSeason ? [[midAutumn.code, 8] as const] : [];
  return chance.weighted([['WELCOME10', 5], ['SHIPFREE', 3], ['CLAY15', 2], ...seasonal]);
}

interface Life {
  planned: PlannedOrder;
  placed: Placed;
  pickupAt: number | undefined;
  paysThere: boolean;
  chance: Chance;
}

/** Moves the clock to a step. What would come after the end of the past is just before it. */
function moveTo(shop: PastShop, at: number): void {
  shop.at = Math.max(shop.at + 1, Math.min(at, shop.until - minuteMs));
}

const counterKind = (chance: Chance): CounterKind =>
  chance.weighted([
    ['terminal', 6],
    ['cash', 3],
    ['other', 1],
  ]);

function handOver(shop: PastShop, person: Person, number: string, how?: CounterKind): Promise<unknown> {
  const { changes, fulfilment } = shop.services;
  return changes.run(shop.who(person), 'orders completed', (change) =>
    fulfilment.move(change, number, 'completed', how),
  );
}

const steps: Readonly<Record<PlannedOrder['kind'], (shop: PastShop, life: Life) => Promise<void>>> = {
  async table(shop, { planned, placed, paysThere, chance }) {
    moveTo(shop, planned.at + chance.whole(6, 35) * minuteMs);
    await handOver(
      shop,
      atCounter(planned.store),
      placed.number,
      paysThere ? counterKind(chance) : undefined,
    );
  },

  async bike(shop, { planned, placed, chance }) {
    if (planned.fate === 'cancelled') return cancel(shop, planned, placed, chance);
    moveTo(shop, planned.at + chance.whole(15, 40) * minuteMs);
    const { changes, fulfilment } = shop.services;
    await changes.run(shop.who('noah'), 'orders shipped', (change) => fulfilment.ship(change, placed.number));
    moveTo(shop, shop.at + chance.whole(10, 30) * minuteMs);
    await handOver(shop, 'noah', placed.number);
  },

  async pickup(shop, { planned, placed, pickupAt = planned.at, paysThere, chance }) {
    const { changes, fulfilment, holds } = shop.services;
    if (planned.fate === 'cancelled') return cancel(shop, planned, placed, chance);
    const person = atCounter(planned.store);
    moveTo(shop, pickupAt - chance.whole(10, 50) * minuteMs);
    await changes.run(shop.who(person), 'orders ready', (change) =>
      fulfilment.move(change, placed.number, 'ready'),
    );
    if (planned.fate === 'notCollected' && paysThere && pickupAt + 6 * dayMs < shop.until) {
      moveTo(shop, pickupAt + 5 * dayMs);
      await holds.expireHolds();
      return;
    }
    moveTo(shop, pickupAt + chance.whole(-5, 90) * minuteMs);
    await handOver(shop, person, placed.number, paysThere ? counterKind(chance) : undefined);
  },

  async parcel(shop, { planned, placed, chance }) {
    const { changes, fulfilment } = shop.services;
    if (planned.fate === 'cancelled') return cancel(shop, planned, placed, chance);
    const leaves = shippingTime(planned.at, chance);
    // The newest ones have left today, whatever day it is.
    moveTo(shop, leaves < shop.until ? leaves : shop.until - chance.whole(20, 110) * minuteMs);
    const tracking = `${chance.whole(1000, 9999)}${chance.whole(1_000_000, 9_999_999)}${chance.whole(10_000, 99_999)}`;
    await changes.run(shop.who('aisha'), 'orders shipped', (change) =>
      fulfilment.ship(change, placed.number, { carrier: 'canadaPost', tracking }),
    );
    const arrived = shop.at + chance.whole(3, 6) * dayMs;
    if (arrived > shop.until) return;
    moveTo(shop, arrived);
    await handOver(shop, 'aisha', placed.number);
    if (planned.fate === 'refunded' && arrived + 3 * dayMs < shop.until) {
      moveTo(shop, arrived + chance.whole(1, 3) * dayMs);
      await refundOne(shop, placed, chance);
    }
  },
};

/** Within hours, by the shop at the wish of its buyer. */
async function cancel(
  shop: PastShop,
  planned: PlannedOrder,
  { number }: Placed,
  chance: Chance,
): Promise<void> {
  const { changes, orderRefunds } = shop.services;
  moveTo(shop, planned.at + chance.whole(20, 50) * minuteMs);
  const run = changes.by(shop.who('mei'), 'orders cancel');
  await orderRefunds.cancelOrder(
    run,
    number,
    chance.one(['Ordered twice', 'Asked by email', 'Wrong address, ordered again']),
    {},
  );
}

/** A unit of its first line, which came back broken or was not liked. */
async function refundOne(shop: PastShop, { number, order }: Placed, chance: Chance): Promise<void> {
  const { changes, orderRefunds } = shop.services;
  const [first] = order.lineItems;
  if (!first) return;
  const isBroken = chance.happens(0.5);
  const covers = { lines: [{ line: first.id, quantity: 1 }] };
  const amount = await orderRefunds.quoteParts(number, covers);
  await orderRefunds.refundParts(changes.by(shop.who('mei'), 'refund'), number, {
    ...covers,
    tip: 0,
    amount,
    restock: !isBroken,
    reason: isBroken ? 'Arrived broken' : 'Sent back unused',
    note: isBroken ? 'We’re sorry that it arrived broken.' : '',
  });
}
