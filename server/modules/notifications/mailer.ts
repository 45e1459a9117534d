/**
 * Sends the emails that are due. Several processes may do so: an email is claimed by a conditional update before it is sent, and
 * marked by another one after. SMTP cannot close the gap between the two: if a process dies there, the email is sent again with
 * the same Message-ID once its claim has expired.
 */
import { noTracer } from '#server/platform/telemetry/tracer.ts';
import { giveWay } from './give-way.ts';
import { type MailDelivery, sendMail } from './mail-delivery.ts';
import { dueMails } from './outbox.repository.ts';

export type Mailer = ReturnType<typeof createMailer>;

export interface MailerDeps extends Omit<MailDelivery, 'report' | 'tracer'>, Partial<Pick<MailDelivery, 'report' | 'tracer'>> {
  /** Waits between two groups of emails, so that a thousand of them delay no request. */
  pause?: () => Promise<void>;
}

const atOnce = 5;

export function createMailer({ pause = giveWay, ...deps }: MailerDeps) {
  const delivery: MailDelivery = { report: () => {}, tracer: noTracer, ...deps };
  const { db, now, transport } = delivery;
  let running: Promise<number> | null = null;
  let stopped = false;

  async function sendDue(): Promise<number> {
    let sent = 0;
    while (!stopped) {
      const due = await dueMails(db.read, now(), atOnce);
      if (due.length === 0) break;
      const results = await Promise.all(due.map((id) => sendMail(delivery, id)));
      sent += results.filter(Boolean).length;
      await pause();
    }
    return sent;
  }

  return {
    /** Sends what is due now, and what becomes due meanwhile. Returns how many were sent. */
    run(): Promise<number> {
      running ??= sendDue().finally(() => {
        running = null;
      });
      return running;
    },

    /** Waits for emails being sent. */
    async stop(): Promise<void> {
      stopped = true;
      await running?.catch(() => {});
      transport.close();
    },

    destination: transport.destination,
  };
}
