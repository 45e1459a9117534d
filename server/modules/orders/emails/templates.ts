/** The email templates of orders and refunds, rendered from the order's data at the time of sending. */
import { inLocale } from '#contract/locales.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { EmailRegistry, EmailTemplates, MailContext } from '#server/modules/notifications/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { OwnedOrder } from '../customer-orders.ts';
import type { OrdersService } from '../orders.service.ts';
import { newOrderMail } from './new-order.ts';
import { orderConfirmationMail } from './order-confirmation.ts';
import { type MailClock, type MailStore, withoutTypedWords } from './order-parts.ts';
import { type OrderStatusEmail, orderStatusMail, refundMail } from './order-status.ts';

export interface OrderEmailsDeps {
  emails: Pick<EmailRegistry, 'shopFor'>;
  stores: StoresService;
  orders: OrdersService;
  accounts: Pick<AccountsService, 'hasConfirmed'>;
}

/** An order with its store, and the clock for its times. */
interface OrderContext {
  order: Order;
  store: MailStore | null;
  clock: MailClock;
}

export function createOrderEmails({ emails, stores, orders, accounts }: OrderEmailsDeps): Partial<EmailTemplates> {
  /** An order and its store, if it has one. */
  async function withStore(order: Order, { locale }: MailContext): Promise<OrderContext> {
    const store = [...(await stores.all()), ...(await stores.removed())].find(({ id }) => id === order.localStoreName);
    return {
      order,
      clock: { locale, timeZone: order.timeZone },
      store: store ? { ...store, address: { ...store.address, streetNumberAndNameDetails: store.address.street } } : null,
    };
  }

  /** The order without text its buyer typed, unless the recipient is known to be the buyer. */
  async function safeFor({ recipient }: MailContext, { order, customerId }: OwnedOrder): Promise<Order> {
    return (await accounts.hasConfirmed(customerId, recipient)) ? order : withoutTypedWords(order);
  }

  async function placedOrder(orderId: string, context: MailContext): Promise<OrderContext | null> {
    const placed = await orders.customers.forMail(orderId, context.locale);
    return placed && withStore(await safeFor(context, placed), context);
  }

  const statusEmail =
    (kind: OrderStatusEmail) =>
    async ({ orderId }: { orderId: string }, context: MailContext) => {
      const found = await placedOrder(orderId, context);
      return found && orderStatusMail(await emails.shopFor(context.locale), found.clock, kind, found.order, found.store);
    };

  return {
    async orderConfirmation({ orderId }, context) {
      const found = await placedOrder(orderId, context);
      return found && orderConfirmationMail(await emails.shopFor(context.locale), found.clock, found.order, found.store);
    },
    async newOrder({ orderId }, context) {
      // In full: the staff must know what the buyer typed, whoever the buyer is.
      const placed = await orders.customers.forMail(orderId, context.locale);
      if (!placed) return null;
      const { order, store, clock } = await withStore(placed.order, context);
      const { shippingMethods } = await orders.settings();
      const chosen = order.method === 'shipping' && shippingMethods.find(({ id }) => id === order.shippingMethod);
      const name = chosen ? inLocale(chosen.name, context.locale) : '';
      return newOrderMail(await emails.shopFor(context.locale), clock, order, store, name);
    },
    orderReady: statusEmail('orderReady'),
    orderShipped: statusEmail('orderShipped'),
    orderCancelled: statusEmail('orderCancelled'),
    reservationLapsed: statusEmail('reservationLapsed'),
    async refund({ refundId }, context) {
      const found = await orders.customers.refundForMail(refundId, context.locale);
      if (!found) return null;
      const { clock, order } = await withStore(await safeFor(context, found), context);
      return refundMail(await emails.shopFor(context.locale), clock, found.refund, order);
    },
  };
}
