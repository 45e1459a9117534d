/** The email templates of orders and refunds, rendered from the order's data at the time of sending. */
import { inLocale, type Locale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { CatalogueService } from '#server/modules/catalogue/index.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { EmailRegistry, EmailTemplatesOf, LineDelta, MailContext, MailShop } from '#server/modules/notifications/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import { brand, type OrderNotes } from '#server/platform/brand.ts';
import type { OrderLinksService } from '../links/order-links.service.ts';
import type { OwnedOrder } from '../order/customer-orders.ts';
import { deliveryNamed } from '../order/order.ts';
import type { OrdersService } from '../order/orders.service.ts';
import { newOrderMail } from './new-order.ts';
import { type OrderContext, orderConfirmationMail } from './order-confirmation.ts';
import { withoutTypedWords } from './order-parts.ts';
import { type OrderStatusEmail, orderStatusMail, refundMail } from './order-status.ts';

export interface OrderEmailsDeps {
  emails: Pick<EmailRegistry, 'shopFor'>;
  stores: StoresService;
  orders: OrdersService;
  accounts: Pick<AccountsService, 'hasConfirmed'>;
  orderLinks: Pick<OrderLinksService, 'create'>;
  catalogue: Pick<CatalogueService, 'details'>;
}

/** What emails about the state of an order are queued with. */
interface StatusMailData {
  orderId: string;
  note?: string;
  pickupAt?: number;
  shipment?: string;
  lines?: readonly LineDelta[];
  back?: number;
}

export function createOrderEmails(deps: OrderEmailsDeps): EmailTemplatesOf<'orders'> {
  const { emails, orders, catalogue } = deps;

  const statusEmail =
    (kind: OrderStatusEmail) =>
    async ({ orderId, note = '', pickupAt, shipment, ...change }: StatusMailData, context: MailContext) => {
      const found = await placedOrder(deps, orderId, context);
      // The buyer may have moved the pickup meanwhile.
      const parcel = found?.order.shipments?.find(({ id }) => id === shipment);
      // A shipment may have been taken back.
      if (shipment !== undefined && !parcel) return null;
      if (!found || (pickupAt !== undefined && found.order.pickupDate !== pickupAt)) return null;
      const shop = await emails.shopFor(context.locale);
      return orderStatusMail(shop, found.clock, kind, found.order, found.store, {
        token: await linkTo(deps, shop, orderId),
        note,
        parcel,
        ...(change.lines ? { change: { lines: change.lines, back: change.back ?? 0 } } : {}),
      });
    };

  return {
    async orderConfirmation({ orderId }, context) {
      const found = await placedOrder(deps, orderId, context);
      if (!found) return null;
      const shop = await emails.shopFor(context.locale);
      const token = await linkTo(deps, shop, orderId);
      return orderConfirmationMail(shop, found, { token, notes: await notesOf(catalogue, found.order, context.locale) });
    },
    async newOrder({ orderId }, context) {
      // In full: the staff must know what the buyer typed, whoever the buyer is.
      const placed = await orders.customers.forMail(orderId, context.locale);
      if (!placed) return null;
      const { order, store, clock } = await withStore(deps, placed.order, context);
      const settings = await orders.settings();
      const parcel = settings.shippingMethods.find(({ id }) => id === order.shippingMethod);
      const chosen = order.method === 'shipping' && (deliveryNamed(settings, order.shippingMethod)?.method ?? parcel);
      const name = chosen ? inLocale(chosen.name, context.locale) : '';
      return newOrderMail(await emails.shopFor(context.locale), clock, order, store, name);
    },
    orderReady: statusEmail('orderReady'),
    orderShipped: statusEmail('orderShipped'),
    orderCancelled: statusEmail('orderCancelled'),
    orderChanged: statusEmail('orderChanged'),
    pickupClosed: statusEmail('pickupClosed'),
    reservationLapsed: statusEmail('reservationLapsed'),
    async refund({ refundId }, context) {
      const found = await orders.customers.refundForMail(refundId, context.locale);
      if (!found) return null;
      const { clock, order } = await withStore(deps, await safeFor(deps, context, found), context);
      const shop = await emails.shopFor(context.locale);
      // An order that was never placed has no page.
      const token = order.orderNumber === null ? null : await linkTo(deps, shop, found.refund.orderId);
      return refundMail(shop, clock, found.refund, order, token);
    },
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

async function withStore({ stores }: OrderEmailsDeps, order: Order, { locale }: MailContext): Promise<OrderContext> {
  const store = [...(await stores.all()), ...(await stores.removed())].find(({ id }) => id === order.localStoreName);
  return {
    order,
    clock: { locale, timeZone: order.timeZone },
    store: store ? { ...store, address: { ...store.address, streetNumberAndNameDetails: store.address.street } } : null,
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

async function placedOrder(deps: OrderEmailsDeps, orderId: string, context: MailContext): Promise<OrderContext | null> {
  const placed = await deps.orders.customers.forMail(orderId, context.locale);
  return placed && withStore(deps, await safeFor(deps, context, placed), context);
}

/**
 * The token of a new link to an order; null for a shop without a public URL. Only its hash is stored, so an email that is sent
 * once more gets another one, and the first keeps working.
 */
async function linkTo({ orderLinks }: OrderEmailsDeps, { publicUrl }: MailShop, orderId: string): Promise<string | null> {
  return publicUrl === null ? null : orderLinks.create(orderId);
}
