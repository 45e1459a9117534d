/** The email templates of orders and refunds, rendered from the order's data at the time of sending. */
import { formatMoney } from '#contract/formatters.ts';
import { inLocale, type Locale } from '#contract/locales.ts';
import { personName } from '#contract/names.ts';
import { paidMessages } from '#contract/payment-providers.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import {
  type CustomerChange,
  type EmailPart,
  type EmailRegistry,
  type EmailTemplatesOf,
  emailWords,
  type LineDelta,
  type MailContext,
  type MailShop,
  paragraph,
  type RenderedEmail,
  renderCustomerEmail,
  renderStaffEmail,
} from '#server/modules/notifications/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { brand, type OrderNotes } from '#server/platform/brand.ts';
import { translate } from '#server/platform/i18n.ts';
import type { CustomerOrders, OwnedOrder } from '../order/customer-orders.ts';
import { withoutTypedWords } from '../order/order-presenter.ts';
import type { ShippedLine } from '../order/shipments.repository.ts';
import {
  buyerName,
  calendarDay,
  dayTime,
  deliverBy,
  locationParts,
  type MailClock,
  type MailFrame,
  type MailStore,
  nextSteps,
  orderNumberPart,
  orderUrl,
  paymentParts,
  receipt,
} from './order-parts.ts';
import { type OrderStatusEmail, orderStatusMail, refundFailedMail, refundMail } from './order-status.ts';

export interface OrderEmailsDeps {
  emails: Pick<EmailRegistry, 'shopFor'>;
  stores: StoresService;
  customers: Pick<CustomerOrders, 'forMail' | 'refundForMail'>;
  accounts: Pick<AccountsService, 'hasConfirmed'>;
  orderLinks: {
    /** Returns the token of a new link to an order. */
    create(orderId: string): Promise<string>;
  };
  catalogue: Pick<CatalogueService, 'details'>;
}

/** What emails about the state of an order are queued with. */
interface StatusMailData {
  orderId: string;
  note?: string;
  amount?: number;
  rounding?: number;
  pickupAt?: number;
  shipment?: string;
  lines?: readonly LineDelta[];
  back?: number;
  units?: readonly ShippedLine[];
}

export function createOrderEmails(deps: OrderEmailsDeps): EmailTemplatesOf<'orders'> {
  const { emails, customers, catalogue } = deps;

  const statusEmail =
    (kind: OrderStatusEmail) =>
    async (
      { orderId, note = '', amount = 0, rounding, pickupAt, shipment, ...change }: StatusMailData,
      context: MailContext,
    ) => {
      const found = await placedOrder(deps, orderId, context);
      // The buyer may have moved the pickup meanwhile.
      const parcel = found?.order.shipments?.find(({ id }) => id === shipment);
      // A shipment may have been taken back.
      if (shipment !== undefined && !parcel) return null;
      if (!found || (pickupAt !== undefined && found.order.pickupDate !== pickupAt)) return null;
      const shop = await emails.shopFor(context.locale);
      return orderStatusMail({ shop, clock: found.clock }, kind, found, {
        token: await linkTo(deps, shop, orderId),
        note,
        amount,
        rounding,
        parcel,
        back: change.back,
        units: change.units,
        ...(change.lines ? { change: { lines: change.lines, back: change.back ?? 0 } } : {}),
      });
    };

  const refundEmail =
    (write: typeof refundMail) =>
    async ({ refundId }: { refundId: string }, context: MailContext) => {
      const found = await customers.refundForMail(refundId, context.locale);
      if (!found) return null;
      const { clock, order } = await withStore(deps, await safeFor(deps, context, found), context);
      const shop = await emails.shopFor(context.locale);
      // An order that was never placed has no page.
      const token = order.orderNumber === null ? null : await linkTo(deps, shop, found.refund.orderId);
      return write({ shop, clock }, found.refund, order, token);
    };

  return {
    async orderConfirmation({ orderId }, context) {
      const found = await placedOrder(deps, orderId, context);
      if (!found) return null;
      const shop = await emails.shopFor(context.locale);
      const token = await linkTo(deps, shop, orderId);
      return orderConfirmationMail(shop, found, {
        token,
        notes: await notesOf(catalogue, found.order, context.locale),
      });
    },
    async newOrder({ orderId }, context) {
      // In full: the staff must know what the buyer typed, whoever the buyer is.
      const placed = await customers.forMail(orderId, context.locale);
      if (!placed) return null;
      const { order, store, clock } = await withStore(deps, placed.order, context);
      return newOrderMail({ shop: await emails.shopFor(context.locale), clock }, order, store);
    },
    orderReady: statusEmail('orderReady'),
    orderShipped: statusEmail('orderShipped'),
    orderCancelled: statusEmail('orderCancelled'),
    orderChanged: statusEmail('orderChanged'),
    paymentUncollected: statusEmail('paymentUncollected'),
    pickupClosed: statusEmail('pickupClosed'),
    pickupMoved: statusEmail('pickupMoved'),
    paymentReceived: statusEmail('paymentReceived'),
    async changedByCustomer({ orderId, what }, context) {
      const placed = await customers.forMail(orderId, context.locale);
      if (!placed) return null;
      const { order, store, clock } = await withStore(deps, placed.order, context);
      return newOrderMail({ shop: await emails.shopFor(context.locale), clock }, order, store, what);
    },
    reservationLapsed: statusEmail('reservationLapsed'),
    refund: refundEmail(refundMail),
    refundFailed: refundEmail(refundFailedMail),
  };
}

/** What the brand says about the products of an order. A product in several sizes is named once. */
async function notesOf(
  catalogue: OrderEmailsDeps['catalogue'],
  { lineItems }: Order,
  locale: Locale,
): Promise<OrderNotes | null> {
  if (!brand.orderNotes) return null;
  const names = new Map(lineItems.map(({ product, nameContent }) => [product, nameContent]));
  const details = await catalogue.details([...names.keys()]);
  return brand.orderNotes(
    [...names].map(([id, name]) => ({ name, details: details.get(id) ?? {} })),
    locale,
  );
}

async function withStore(
  { stores }: OrderEmailsDeps,
  order: Order,
  { locale }: MailContext,
): Promise<OrderContext> {
  const store = [...(await stores.all()), ...(await stores.removed())].find(
    ({ id }) => id === order.localStoreName,
  );
  return {
    order,
    clock: { locale, timeZone: order.timeZone },
    store: store ? mailStoreOf(store) : null,
  };
}

/** A store as emails show it. */
export function mailStoreOf({
  address,
  ...store
}: Awaited<ReturnType<StoresService['all']>>[number]): MailStore {
  return {
    ...store,
    address: { ...address, streetNumberAndNameDetails: address.street, addressDescription: '' },
  };
}

/** The order without text its buyer typed, unless the recipient is known to be the buyer. */
async function safeFor(
  { accounts }: OrderEmailsDeps,
  { recipient }: MailContext,
  { order, customerId }: OwnedOrder,
): Promise<Order> {
  return (await accounts.hasConfirmed(customerId, recipient)) ? order : withoutTypedWords(order);
}

async function placedOrder(
  deps: OrderEmailsDeps,
  orderId: string,
  context: MailContext,
): Promise<OrderContext | null> {
  const placed = await deps.customers.forMail(orderId, context.locale);
  return placed && withStore(deps, await safeFor(deps, context, placed), context);
}

/**
 * The token of a new link to an order; null for a shop without a public URL. Only its hash is stored, so an email that is sent
 * once more gets another one, and the first keeps working.
 */
async function linkTo(
  { orderLinks }: OrderEmailsDeps,
  { publicUrl }: MailShop,
  orderId: string,
): Promise<string | null> {
  return publicUrl === null ? null : orderLinks.create(orderId);
}

/**
 * Composes the email that tells the staff of a new order: what to prepare, for whom, by when, and whether it is paid; or of `what` its
 * customer changed.
 */
function newOrderMail(
  { shop, clock }: MailFrame,
  order: Order,
  store: MailStore | null,
  what?: CustomerChange,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const number = order.orderNumber ?? '';
  const over = order.state === 'cancelled' || order.state === 'lapsed';
  return renderStaffEmail({
    shop,
    locale,
    subject: t(what ? `mail.newOrder.${what}.subject` : 'mail.newOrder.subject', { shop: shop.name, number }),
    title: t(what ? `mail.newOrder.${what}.title` : 'mail.newOrder.title', { number }),
    parts: [
      ...(over ? [{ kind: 'text', text: t('mail.newOrder.over') } as const] : []),
      { kind: 'rows', rows: deliveryRows(order, clock) },
      { kind: 'text', text: paymentText(order, clock) },
      ...noteParts(order, clock),
      ...locationParts(order, store, locale),
      ...customerParts(order, clock),
      ...receipt(order, clock, shop),
    ],
    why: t('mail.why.staff', { shop: shop.name }),
  });
}

function deliveryRows(order: Order, clock: MailClock) {
  const { method, pickupDate, tableNumber, partySize, placedAt, shippingNameContent: shippingName } = order;
  const t = translate(clock.locale);
  return [
    ...(method
      ? [{ label: t('mail.newOrder.method'), amount: t(`checkout.method.${method}`), strong: true }]
      : []),
    ...(shippingName
      ? [
          {
            label: t('checkout.shippingMethod.title'),
            amount: inLocale(shippingName, clock.locale),
            strong: true,
          },
        ]
      : []),
    ...promiseRows(order, clock),
    ...(pickupDate === null
      ? []
      : [{ label: t('confirm.pickup.when'), amount: dayTime(pickupDate, clock), strong: true }]),
    ...(tableNumber === null
      ? []
      : [{ label: t('checkout.table.number'), amount: tableNumber, strong: true }]),
    ...(partySize === undefined ? [] : [{ label: t('checkout.partySize.label'), amount: String(partySize) }]),
    ...(placedAt === null ? [] : [{ label: t('mail.newOrder.placed'), amount: dayTime(placedAt, clock) }]),
  ];
}

/** By when what is sent has to leave, or to be at the door. */
function promiseRows(order: Order, clock: MailClock) {
  const t = translate(clock.locale);
  const { sendBy, arrival } = order;
  const day = (date: string) => calendarDay(date, clock.locale);
  const by = deliverBy(order);
  return [
    ...(by === null
      ? []
      : [{ label: t('mail.newOrder.deliverBy'), amount: dayTime(by, clock), strong: true }]),
    ...(sendBy ? [{ label: t('mail.newOrder.sendBy'), amount: day(sendBy), strong: true }] : []),
    ...(arrival
      ? [{ label: t('mail.newOrder.arrival'), amount: `${day(arrival.earliest)} – ${day(arrival.latest)}` }]
      : []),
  ];
}

function paymentText({ bill, payment, due, dueVersion }: Order, { locale }: MailClock): string {
  const t = translate(locale);
  const amount = formatMoney(due || bill.total, locale, bill.currency);
  if (bill.total === 0) return t('mail.newOrder.free');
  if (payment?.method === 'payAtStore')
    return payment.paid ? t('mail.newOrder.paidInStore', { amount }) : t('mail.newOrder.unpaid', { amount });
  if (dueVersion !== undefined) return t('mail.newOrder.due', { amount });
  return t(paidMessages(payment?.method ?? '').confirm, { amount });
}

function noteParts({ customerComment }: Order, { locale }: MailClock): EmailPart[] {
  if (!customerComment) return [];
  return [
    { kind: 'heading', text: translate(locale)('confirm.note') },
    { kind: 'text', text: customerComment },
  ];
}

/** Whom to ask about the order; empty once the customer's data has been deleted. */
function customerParts({ orderContact }: Order, { locale }: MailClock): EmailPart[] {
  if (!orderContact) return [];
  const lines = [personName(orderContact), orderContact.phoneNumber, orderContact.email].filter(Boolean);
  if (lines.length === 0) return [];
  return [
    { kind: 'heading', text: translate(locale)('account.order.contact') },
    { kind: 'text', text: lines.join('\n') },
  ];
}

/** An order with its store, and the clock for its times. */
interface OrderContext {
  order: Order;
  store: MailStore | null;
  clock: MailClock;
}

interface ConfirmationExtras {
  /** That of the link to the order; null without one. */
  token: string | null;
  notes: OrderNotes | null;
}

/** Composes the email that confirms an order: the items, the price, and the next steps. */
export function orderConfirmationMail(
  shop: MailShop,
  { order, store, clock }: OrderContext,
  { token, notes }: ConfirmationExtras,
): RenderedEmail {
  const { locale } = clock;
  const t = translate(locale);
  const number = order.orderNumber ?? '';
  const words = emailWords(shop, locale, 'orderConfirmation', {
    shop: shop.name,
    name: buyerName(order, locale),
    number,
  });
  return renderCustomerEmail({
    shop,
    locale,
    words,
    parts: [
      ...words.greeting,
      ...paragraph(words.text),
      ...orderNumberPart(order, locale),
      { kind: 'heading', text: t('confirm.next') },
      { kind: 'text', text: nextSteps(order, store, clock) },
      ...paymentParts(order, clock),
      ...words.button(orderUrl(token, shop, locale)),
      ...locationParts(order, store, locale),
      ...receipt(order, clock, shop),
      ...(notes
        ? ([
            { kind: 'heading', text: notes.heading },
            { kind: 'rows', rows: notes.rows },
          ] as const)
        : []),
      ...(order.customerComment
        ? ([
            { kind: 'heading', text: t('confirm.note') },
            { kind: 'text', text: order.customerComment },
          ] as const)
        : []),
    ],
    preview: nextSteps(order, store, clock),
    why: t('mail.why.order', { shop: shop.name }),
  });
}
