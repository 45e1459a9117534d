/** How each kind of mail is written, from what the services know when it is sent. */
import type { Order } from '#contract/schemas/order.ts';
import type { FormMessagesService } from '#server/modules/content/index.ts';
import type { AccountsService } from '#server/modules/customers/index.ts';
import type { OrdersService, OwnedOrder } from '#server/modules/orders/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { EmailTemplates, MailContext } from './mailer.ts';
import { passwordChangedMail, temporaryPasswordMail, welcomeMail } from './templates/account-emails.ts';
import { mailShop } from './templates/email-frame.ts';
import { formMessageMail } from './templates/form-message.ts';
import { merchantAlertMail } from './templates/merchant-alert.ts';
import { orderConfirmationMail } from './templates/order-confirmation.ts';
import { type MailClock, type MailStore, withoutTypedWords } from './templates/order-parts.ts';
import { type OrderStatusEmail, orderStatusMail, refundMail } from './templates/order-status.ts';

export interface EmailTemplatesDeps {
  publicUrl: string | null;
  settings: SettingsService;
  stores: StoresService;
  orders: OrdersService;
  accounts: AccountsService;
  messages: FormMessagesService;
}

export function createEmailTemplates({
  publicUrl,
  settings,
  stores,
  orders,
  accounts,
  messages,
}: EmailTemplatesDeps): EmailTemplates {
  const shopIn = async ({ locale }: MailContext) => mailShop(await settings.all(), publicUrl, locale);

  interface About {
    order: Order;
    store: MailStore | null;
    clock: MailClock;
  }

  /** An order and its store, if it has one. */
  async function aboutOrder(order: Order, { locale }: MailContext): Promise<About> {
    const store = (await stores.all()).find(({ id }) => id === order.localStoreName);
    return {
      order,
      clock: { locale, timeZone: order.timeZone },
      store: store ? { ...store, address: { ...store.address, streetNumberAndNameDetails: store.address.street } } : null,
    };
  }

  /** The order as its mail may tell it: without its buyer's words, unless the recipient is known to be the buyer. */
  async function fitFor({ recipient }: MailContext, { order, customerId }: OwnedOrder): Promise<Order> {
    return (await accounts.hasConfirmed(customerId, recipient)) ? order : withoutTypedWords(order);
  }

  async function aboutPlaced(orderId: string, context: MailContext): Promise<About | null> {
    const placed = await orders.customers.forMail(orderId, context.locale);
    return placed && aboutOrder(await fitFor(context, placed), context);
  }

  const news =
    (kind: OrderStatusEmail) =>
    async ({ orderId }: { orderId: string }, context: MailContext) => {
      const about = await aboutPlaced(orderId, context);
      return about && orderStatusMail(await shopIn(context), about.clock, kind, about.order, about.store);
    };

  return {
    welcome: async (_data, context) => welcomeMail(await shopIn(context), context.locale),
    passwordChanged: async (data, context) => passwordChangedMail(await shopIn(context), context.locale, data),
    async temporaryPassword(_data, context) {
      const made = await accounts.temporaryFor(context);
      return made && { ...temporaryPasswordMail(await shopIn(context), context.locale, made), to: made.to };
    },
    async formMessage({ messageId }, context) {
      const message = await messages.byId(messageId);
      return message && formMessageMail(await shopIn(context), context.locale, message);
    },
    async merchantAlert({ alert, values }, context) {
      const { contactEmail } = await settings.all();
      const mail = contactEmail && merchantAlertMail(await shopIn(context), context.locale, alert, values);
      return mail ? { ...mail, to: contactEmail } : null;
    },
    async orderConfirmation({ orderId }, context) {
      const about = await aboutPlaced(orderId, context);
      return about && orderConfirmationMail(await shopIn(context), about.clock, about.order, about.store);
    },
    orderReady: news('orderReady'),
    orderShipped: news('orderShipped'),
    orderCancelled: news('orderCancelled'),
    reservationLapsed: news('reservationLapsed'),
    async refund({ refundId }, context) {
      const found = await orders.customers.refundForMail(refundId, context.locale);
      if (!found) return null;
      const { clock, order } = await aboutOrder(await fitFor(context, found), context);
      return refundMail(await shopIn(context), clock, found.refund, order);
    },
  };
}
