/** Sends one email of the outbox: claims it, writes it from its template, sends it, and records what came of it. */
import { defaultLocale, isLocale, type Locale } from '#contract/locales.ts';
import type { Database } from '#db/database.ts';
import type { Tracer } from '#server/platform/telemetry/tracer.ts';
import { claimMail, deleteMail, type MailRow, updateClaimedMail } from './outbox.repository.ts';
import type { MailData, MailDataOf, MailKind } from './outbox.service.ts';
import { type MailTransport, sendTimeoutMs } from './transport.ts';

export interface RenderedEmail {
  from: { name: string; address: string };
  /** The default is the row's recipient. */
  to?: string;
  /** A single address for replies, if they do not go to the shop. */
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailContext {
  id: string;
  recipient: string;
  locale: Locale;
}

/** Writes an email of each kind when it is sent. Null if its recipient or its subject no longer exists. */
type TemplatesFor<D> = { [K in keyof D]: (data: D[K], context: MailContext) => Promise<RenderedEmail | null> };
export type EmailTemplates = TemplatesFor<MailData>;
/** The templates that a module owes: one for each of its kinds. */
export type EmailTemplatesOf<M extends keyof MailDataOf> = TemplatesFor<MailDataOf[M]>;

export interface DeliveryFailure {
  /** 'warn': it will be retried. 'error': it was given up. */
  level: 'warn' | 'error';
  id: string;
  kind: string;
  attempts: number;
  /** Without addresses or texts. */
  problem: string;
}

export interface MailDelivery {
  db: Database;
  now: () => number;
  transport: MailTransport;
  /** By kind; looked up when an email is sent. */
  templates: Partial<EmailTemplates>;
  report: (report: DeliveryFailure) => void;
  tracer: Tracer;
}

/** Longer than any attempt takes, so that only a dead process loses its claim. */
const claimMs = 3 * sendTimeoutMs;
const mostAttempts = 9;

/** The pause after the `attempts`th attempt failed: 30 s, then four times the last, at most 12 h. Milliseconds. */
export function retryDelayMs(attempts: number): number {
  return Math.min(30_000 * 4 ** (attempts - 1), 12 * 60 * 60_000);
}

/** Returns whether it was sent. */
export async function sendMail(delivery: MailDelivery, id: string): Promise<boolean> {
  const { db, now, tracer } = delivery;
  const at = now();
  const row = await db.single((trx) => claimMail(trx, id, at, at + claimMs));
  if (!row) return false;
  return tracer.span('email', { 'shopwright.email.kind': row.kind }, () => sendClaimed(delivery, row));
}

async function sendClaimed(delivery: MailDelivery, row: MailRow): Promise<boolean> {
  const { db, now, transport, templates, tracer } = delivery;
  const { id } = row;
  try {
    const mail = await render(templates, row);
    if (!mail) {
      await db.single((trx) => deleteMail(trx, id));
      return false;
    }
    const { to = row.recipient, ...letter } = mail;
    const sending = { id, kind: row.kind, createdAt: row.created_at, to, ...letter };
    await tracer.span('email delivery', {}, () => transport.send(sending), 'client');
  } catch (error) {
    await recordFailure(delivery, row, error);
    return false;
  }
  await db.single((trx) => updateClaimedMail(trx, row, { state: 'sent', sent_at: now(), error: null }));
  return true;
}

async function render(templates: Partial<EmailTemplates>, row: MailRow): Promise<RenderedEmail | null> {
  const template = templates[row.kind as MailKind] as
    | ((data: unknown, context: MailContext) => Promise<RenderedEmail | null>)
    | undefined;
  if (!template) throw new Error(`no template for mails of kind ${row.kind}`);
  const locale = isLocale(row.language) ? row.language : defaultLocale;
  return template(JSON.parse(row.data), { id: row.id, recipient: row.recipient, locale });
}

async function recordFailure({ db, now, report }: MailDelivery, row: MailRow, error: unknown): Promise<void> {
  const problem = problemOf(error);
  const final = row.attempts >= mostAttempts || isPermanentFailure(error);
  const change = final
    ? { state: 'failed' as const, error: problem }
    : { state: 'waiting' as const, due_at: now() + retryDelayMs(row.attempts), error: problem };
  await db.single((trx) => updateClaimedMail(trx, row, change));
  report({ level: final ? 'error' : 'warn', id: row.id, kind: row.kind, attempts: row.attempts, problem });
}

/** Whether the server has permanently rejected the address or the email. */
function isPermanentFailure(error: unknown): boolean {
  const { responseCode, command } = error as { responseCode?: unknown; command?: unknown };
  return (
    typeof responseCode === 'number' && responseCode >= 550 && responseCode < 560 && (command === 'RCPT TO' || command === 'DATA')
  );
}

/** Codes only: replies of mail servers repeat addresses. */
function problemOf(error: unknown): string {
  const {
    name = 'Error',
    code,
    responseCode,
    command,
  } = error as { name?: string; code?: string; responseCode?: number; command?: string };
  return [code ?? name, command, responseCode].filter((part) => part !== undefined).join(' ');
}
