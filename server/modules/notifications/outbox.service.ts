/** Queues emails, and tickets for printers, in the transaction of their cause. */
import { randomUUID } from 'node:crypto';
import type { CustomerEmail, EmailId } from '#contract/emails.ts';
import { defaultLocale, type Locale, type LocalText } from '#contract/locales.ts';
import type { EmailsSetting } from '#contract/schemas/email.ts';
import type { Database, Trx } from '#db/database.ts';
import type { DeliveryQueue } from '#server/platform/deliveries/delivery-queue.ts';
import { deleteEmailsTo, emailsTo } from './emails.repository.ts';

/** Units of a line of a placed order that came or went; both the same if only its note changed. */
export interface LineDelta {
  line: string;
  sku: string;
  name: LocalText;
  /** Options and modifiers; '' for none. */
  text: LocalText;
  /** Cents. */
  unitPrice: number;
  from: number;
  to: number;
}

/** What customers change of a placed order themselves. */
export type CustomerChange = 'moved' | 'cancelled';

/** Besides recipient and language. A kind without a template does not compile (`EmailTemplatesOf`). */
export interface MailDataOf {
  customers: {
    /** Sent to an unconfirmed address, so without the name that was typed with it. */
    welcome: Record<never, never>;
    /** To an account that came from another shop and has no password yet. */
    invitation: Record<never, never>;
    /** The password itself is generated when the email is sent, and is never stored in plain text. */
    temporaryPassword: Record<never, never>;
    /** '' if the address is not confirmed. */
    passwordChanged: { firstName: string };
  };
  orders: {
    orderConfirmation: { orderId: string };
    orderReady: { orderId: string };
    /** `shipment`: one of its parcels; left out for all, in emails from before there were parcels. */
    orderShipped: { orderId: string; shipment?: string };
    /**
     * `note`: what the merchant writes to the buyer. `back`: what goes back the way it was paid, cents. `units`: what is not sent any
     * more, of an order that was partly shipped.
     */
    orderCancelled: {
      orderId: string;
      note?: string;
      back?: number;
      units?: readonly { line: string; quantity: number }[];
    };
    /** `back`: what goes back to the buyer, cents. */
    orderChanged: { orderId: string; lines: readonly LineDelta[]; back: number };
    /** The money of a payment did not come after all; `amount` is that of the payment, cents. */
    paymentUncollected: { orderId: string; amount: number };
    /** The store is closed at the pickup time (epoch ms), by a change of the merchant. */
    pickupClosed: { orderId: string; pickupAt: number };
    /** An order to be paid at the store was not picked up in time. */
    reservationLapsed: { orderId: string };
    refund: { orderId: string; refundId: string };
    /** The bank did not take a refund whose receipt was sent. */
    refundFailed: { orderId: string; refundId: string };
    /** To the staff of the order's store. */
    newOrder: { orderId: string };
    /** To the staff: its customer moved the pickup, or cancelled. */
    changedByCustomer: { orderId: string; what: CustomerChange };
    /** To the customer; a pickup that was moved once more since is not told of. */
    pickupMoved: { orderId: string; pickupAt: number };
    /** The receipt of a payment after the order, `amount` cents. */
    paymentReceived: { orderId: string; amount: number; rounding?: number };
  };
  printers: {
    /** To a printer of the order's store, whose lane is the recipient. With `lines` only of these, which changed. */
    kitchenTicket: { orderId: string; lines?: readonly LineDelta[]; what?: CustomerChange };
  };
  content: {
    /** The message is read when the email is sent, so that it is stored only once. */
    formMessage: { messageId: string };
  };
  notifications: {
    /** To the shop's contact address, which is read when the email is sent. */
    merchantAlert: { alert: AlertKind; values: Readonly<Record<string, string>> };
    /** To whoever writes the texts of an email: how it looks with these. */
    emailTest: { email: EmailId; texts: EmailsSetting };
  };
}
export type MailData = MailDataOf['customers'] &
  MailDataOf['orders'] &
  MailDataOf['content'] &
  MailDataOf['notifications'];
/** What is queued as emails are. */
type Queued = MailData & MailDataOf['printers'];
export type MailKind = keyof MailData;
/** Their only data is the order's id. */
export type OrderMailKind =
  | 'orderConfirmation'
  | 'orderReady'
  | 'orderShipped'
  | 'orderCancelled'
  | 'reservationLapsed';

/**
 * The texts of each email that merchants write; null for one to the staff, whose texts nobody changes. A new email does not compile until
 * it says so.
 */
export const textsOfMail: Readonly<Record<MailKind, readonly CustomerEmail[] | null>> = {
  welcome: ['welcome'],
  invitation: ['invitation'],
  temporaryPassword: ['temporaryPassword'],
  passwordChanged: ['passwordChanged'],
  orderConfirmation: ['orderConfirmation'],
  orderReady: ['orderReady'],
  orderShipped: ['orderShipped'],
  orderCancelled: ['orderCancelled', 'restCancelled'],
  orderChanged: ['orderChanged'],
  paymentUncollected: ['paymentUncollected'],
  paymentReceived: ['paymentReceived'],
  pickupClosed: ['pickupClosed'],
  pickupMoved: ['pickupMoved'],
  reservationLapsed: ['reservationLapsed'],
  refund: ['refund', 'refundLate'],
  refundFailed: ['refundFailed'],
  newOrder: null,
  changedByCustomer: null,
  formMessage: null,
  merchantAlert: null,
  emailTest: null,
};

const aboutOrders: readonly MailKind[] = [
  'orderConfirmation',
  'orderReady',
  'orderShipped',
  'orderCancelled',
  'pickupClosed',
  'pickupMoved',
  'paymentReceived',
  'changedByCustomer',
  'paymentUncollected',
  'orderChanged',
  'reservationLapsed',
  'refund',
  'refundFailed',
  'newOrder',
];

export interface NewMail<K extends keyof Queued> {
  kind: K;
  recipient: string;
  locale: Locale;
  data: Queued[K];
  /** Of several with the same reference only the first is sent. */
  reference?: string;
}

export type OutboxService = ReturnType<typeof createOutboxService>;

export function createOutboxService({ db, deliveries }: { db: Database; deliveries: DeliveryQueue }) {
  return {
    async enqueue<K extends keyof Queued>(trx: Trx, ...mails: readonly NewMail<K>[]): Promise<number> {
      if (mails.length === 0) return 0;
      const rows = mails.map(({ locale, data, reference = null, ...mail }) => ({
        ...mail,
        id: randomUUID(),
        reference,
        order_id: 'orderId' in data ? data.orderId : null,
        language: locale,
        body: JSON.stringify(data),
      }));
      return deliveries.enqueue(trx, rows);
    },
    async to(
      email: string,
    ): Promise<{ kind: string; recipient: string; createdAt: number; sentAt: number | null }[]> {
      return (await emailsTo(db.read, email)).map(({ kind, recipient, state, created_at, attempted_at }) => ({
        kind,
        recipient: recipient ?? '',
        createdAt: created_at,
        sentAt: state === 'delivered' ? attempted_at : null,
      }));
    },
    /** Unsent ones about orders are still sent. */
    forget: (trx: Trx, email: string): Promise<void> => deleteEmailsTo(trx, email, aboutOrders),
  };
}

/** `dispute` is the provider's id; `deadline` and `url` say until when and where it is answered, '–' if it is not. */
type DisputeValues = {
  provider: string;
  amount: string;
  order: string;
  dispute: string;
  reason: string;
  deadline: string;
  url: string;
};

/** By kind, which has `mail.alert.<kind>.subject` and `.text` among the messages. Amounts are formatted text. */
export interface AlertValues {
  refundRefused: { provider: string; amount: string; order: string; reason: string };
  /** It had been sent, and its money has come back. */
  refundFailed: { provider: string; amount: string; order: string; reason: string };
  /** By a customer or their bank. */
  disputeOpened: DisputeValues;
  disputeWon: DisputeValues;
  disputeLost: DisputeValues;
  /** It had been approved, and its money does not come. */
  paymentUncollected: { provider: string; amount: string; order: string; reason: string };
  paymentsRefused: { provider: string; reason: string };
  /** The provider has it, and waits for the merchant to act there. */
  paymentWaits: { provider: string; amount: string; order: string; payment: string; reason: string };
  /** The shop's keys lack a right at a provider; `reason` says which, and where it is given. */
  rightMissing: { provider: string; reason: string };
  /** Its provider no longer knows it. `payment` is the provider's id, or the shop's reference if there is none. */
  attemptGivenUp: { provider: string; amount: string; order: string; payment: string; reason: string };
  /** Money of a payment that the database does not know; `payment` is an id. */
  unknownPayment: { provider: string; amount: string; payment: string };
  /** Has printed nothing for a minute. `printer` is its store, `address` where it is looked for. */
  printerAway: { printer: string; address: string; reason: string };
  /** For two days. `endpoint` is its id, `host` that of its URL. */
  webhookGivenUp: { endpoint: string; host: string; event: string };
  webhookGone: { endpoint: string; host: string };
}
export type AlertKind = keyof AlertValues;

export interface MerchantAlert<K extends AlertKind = AlertKind> {
  kind: K;
  /** Without secrets and personal data: they are logged. */
  values: AlertValues[K];
  /** Of several alerts with one reference only the first is emailed; all are logged. */
  reference: string;
}

export type AlertsService = ReturnType<typeof createAlertsService>;

export interface AlertsDeps {
  mail: OutboxService;
  onMerchantAlert?: ((alert: MerchantAlert) => void) | undefined;
}

export function createAlertsService({ mail, onMerchantAlert }: AlertsDeps) {
  const enqueue = <K extends AlertKind>(trx: Trx, { kind, values, reference }: MerchantAlert<K>) =>
    mail.enqueue(trx, {
      kind: 'merchantAlert',
      // Read when the email is sent: the contact address is a setting.
      recipient: '',
      locale: defaultLocale,
      data: { alert: kind, values },
      reference: `alert:${kind}:${reference}`,
    });
  return {
    async raise<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void> {
      onMerchantAlert?.(alert);
      await enqueue(trx, alert);
    },
    /** For reports that others repeat: only the first of one reference is logged. */
    async raiseOnce<K extends AlertKind>(trx: Trx, alert: MerchantAlert<K>): Promise<void> {
      if ((await enqueue(trx, alert)) > 0) onMerchantAlert?.(alert);
    },
  };
}
