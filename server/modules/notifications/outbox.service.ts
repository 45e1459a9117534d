/** Queues emails as rows in the transaction of their cause; the mailer (`mailer.ts`) sends them. */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Database, Trx } from '#db/database.ts';
import type { AlertKind } from './alerts.service.ts';
import { deleteMailsTo, deleteOldMails, insertMails, mailsTo } from './outbox.repository.ts';

/**
 * The data of each kind of email, besides recipient and language, by the module that has its template. A kind without a template
 * does not compile (`EmailTemplatesOf`).
 */
export interface MailDataOf {
  customers: {
    /** Sent to an unconfirmed address, so without the name that was typed with it. */
    welcome: Record<never, never>;
    /** The password itself is generated when the email is sent, and is never stored in plain text. */
    temporaryPassword: Record<never, never>;
    /** '' if the address is not confirmed. */
    passwordChanged: { firstName: string };
  };
  orders: {
    orderConfirmation: { orderId: string };
    orderReady: { orderId: string };
    orderShipped: { orderId: string };
    /** `note`: what the merchant writes to the buyer. */
    orderCancelled: { orderId: string; note?: string };
    /** The store is closed at the pickup time (epoch ms), by a change of the merchant. */
    pickupClosed: { orderId: string; pickupAt: number };
    /** An order to be paid at the store was not picked up in time. */
    reservationLapsed: { orderId: string };
    refund: { orderId: string; refundId: string };
    /** To the staff of the order's store. */
    newOrder: { orderId: string };
  };
  content: {
    /** The message is read when the email is sent, so that it is stored only once. */
    formMessage: { messageId: string };
  };
  notifications: {
    /** To the shop's contact address, which is read when the email is sent. */
    merchantAlert: { alert: AlertKind; values: Readonly<Record<string, string>> };
  };
}
export type MailData = MailDataOf['customers'] & MailDataOf['orders'] & MailDataOf['content'] & MailDataOf['notifications'];
export type MailKind = keyof MailData;
/** Emails about an order whose only data is the order's id. */
export type OrderMailKind = 'orderConfirmation' | 'orderReady' | 'orderShipped' | 'orderCancelled' | 'reservationLapsed';

const aboutOrders: readonly MailKind[] = [
  'orderConfirmation',
  'orderReady',
  'orderShipped',
  'orderCancelled',
  'pickupClosed',
  'reservationLapsed',
  'refund',
  'newOrder',
];

export interface NewMail<K extends MailKind> {
  kind: K;
  recipient: string;
  locale: Locale;
  data: MailData[K];
  /** Of several with the same reference only the first is sent. */
  reference?: string;
}

export type OutboxService = ReturnType<typeof createOutboxService>;

/** How long emails are stored after sending, so that support can look them up, ms. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

export function createOutboxService({ db, now }: { db: Database; now: () => number }) {
  return {
    /** Queues emails. Returns how many are new. */
    async enqueue<K extends MailKind>(trx: Trx, ...mails: readonly NewMail<K>[]): Promise<number> {
      const at = now();
      const rows = mails.map(({ kind, recipient, locale, data, reference = null }) => ({
        id: randomUUID(),
        kind,
        reference,
        recipient,
        language: locale,
        data: JSON.stringify(data),
        at,
      }));
      return rows.length > 0 ? insertMails(trx, db.engine, rows) : 0;
    },
    /** Emails that were or will be sent to an address. */
    async to(email: string): Promise<{ kind: string; recipient: string; createdAt: number; sentAt: number | null }[]> {
      const rows = await mailsTo(db.read, email);
      return rows.map(({ kind, recipient, created_at, sent_at }) => ({
        kind,
        recipient,
        createdAt: created_at,
        sentAt: sent_at,
      }));
    },
    /** Deletes emails to an address. Unsent ones about orders are still sent. */
    forget: (trx: Trx, email: string): Promise<void> => deleteMailsTo(trx, email, aboutOrders),
    /** Deletes emails that were sent long ago. */
    sweep: (): Promise<void> => db.transaction((trx) => deleteOldMails(trx, now() - keptMs)),
  };
}
