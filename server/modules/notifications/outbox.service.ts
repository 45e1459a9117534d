/** Mails as rows, written in the transaction of what causes them and sent by the mailer (`mailer.ts`). */
import { randomUUID } from 'node:crypto';
import type { Locale } from '#contract/locales.ts';
import type { Database, Trx } from '#db/database.ts';
import type { AlertKind } from './alerts.service.ts';
import { deleteMailsTo, deleteOldMails, insertMail, mailsTo } from './outbox.repository.ts';

/** What its template needs to know, besides whom it goes to and in which language. */
export interface MailData {
  /** Goes to an address that nobody has confirmed, so without the name that was typed with it. */
  welcome: Record<never, never>;
  /** The password itself is made when it is sent, and is nowhere in the database. */
  temporaryPassword: Record<never, never>;
  /** '' where the address is not confirmed. */
  passwordChanged: { firstName: string };
  orderConfirmation: { orderId: string };
  orderReady: { orderId: string };
  orderShipped: { orderId: string };
  orderCancelled: { orderId: string };
  /** Nobody came for what was to be paid at the store. */
  reservationLapsed: { orderId: string };
  refund: { orderId: string; refundId: string };
  /** What was sent is read when the mail is, so that it stands in one place. */
  formMessage: { messageId: string };
  /** To the shop's contact address, which is read when it is sent. */
  merchantAlert: { alert: AlertKind; values: Readonly<Record<string, string>> };
}
export type MailKind = keyof MailData;
/** Those about an order that need to know no more than which. */
export type OrderMailKind = 'orderConfirmation' | 'orderReady' | 'orderShipped' | 'orderCancelled' | 'reservationLapsed';

const aboutOrders: readonly MailKind[] = [
  'orderConfirmation',
  'orderReady',
  'orderShipped',
  'orderCancelled',
  'reservationLapsed',
  'refund',
];

export interface NewMail<K extends MailKind> {
  kind: K;
  recipient: string;
  locale: Locale;
  data: MailData[K];
  /** Of several with the same reference only the first is sent. */
  reference?: string;
}

export interface OutboxService {
  enqueue<K extends MailKind>(trx: Trx, mail: NewMail<K>): Promise<void>;
  /** What was sent to an address, or will be. */
  to(email: string): Promise<{ kind: string; recipient: string; createdAt: number; sentAt: number | null }[]>;
  /** Forgets what was written to an address. What is still to be said about orders goes out. */
  forget(trx: Trx, email: string): Promise<void>;
  /** Forgets what was sent long ago. */
  sweep(): Promise<void>;
}

/** Kept for so long, to answer "did it ever go out?". */
const keptMs = 30 * 24 * 60 * 60 * 1000;

export function createOutboxService({ db, now }: { db: Database; now: () => number }): OutboxService {
  return {
    async enqueue(trx, { kind, recipient, locale, data, reference }) {
      const at = now();
      await insertMail(trx, {
        id: randomUUID(),
        kind,
        reference: reference ?? null,
        recipient,
        language: locale,
        data: JSON.stringify(data),
        state: 'waiting',
        attempts: 0,
        due_at: at,
        created_at: at,
        sent_at: null,
        error: null,
      });
    },
    async to(email) {
      const rows = await mailsTo(db.read, email);
      return rows.map(({ kind, recipient, created_at, sent_at }) => ({
        kind,
        recipient,
        createdAt: created_at,
        sentAt: sent_at,
      }));
    },
    forget: (trx, email) => deleteMailsTo(trx, email, aboutOrders),
    sweep: () => db.transaction((trx) => deleteOldMails(trx, now() - keptMs)),
  };
}
