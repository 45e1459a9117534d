import { defaultLocale, isLocale, type Locale } from '#contract/locales.ts';
import type { Delivery, Outcome, Sender } from '#server/platform/deliveries/delivery-queue.ts';
import { noTracer, type Tracer } from '#server/platform/telemetry/tracer.ts';
import type { MailData, MailDataOf, MailKind } from './outbox.service.ts';
import { type MailTransport, sendTimeoutMs } from './transport.ts';

export interface RenderedEmail {
  from: { name: string; address: string };
  /** By default the row's recipient. */
  to?: string;
  /** If replies do not go to the shop. */
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

/** When an email is sent. Null if its recipient or its subject no longer exists. */
type TemplatesFor<D> = { [K in keyof D]: (data: D[K], context: MailContext) => Promise<RenderedEmail | null> };
export type EmailTemplates = TemplatesFor<MailData>;
/** One for each of the module's kinds. */
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

export interface MailSenderDeps {
  now: () => number;
  transport: MailTransport;
  /** By kind; looked up when an email is sent. */
  templates: Partial<EmailTemplates>;
  report?: ((failure: DeliveryFailure) => void) | undefined;
  tracer?: Tracer | undefined;
}

const mostAttempts = 9;

/** 30 s, then four times the last, at most 12 h. */
export function retryDelayMs(attempts: number): number {
  return Math.min(30_000 * 4 ** (attempts - 1), 12 * 60 * 60_000);
}

export function createMailSender({ now, transport, templates, report, tracer = noTracer }: MailSenderDeps): Sender {
  async function attempt(delivery: Delivery): Promise<Outcome> {
    const { id, kind, attempts } = delivery;
    try {
      const mail = await render(templates, delivery);
      if (!mail) return { change: null };
      const sending = { id, kind, createdAt: delivery.created_at, to: delivery.recipient ?? '', ...mail };
      await tracer.span('email delivery', {}, () => transport.send(sending), 'client');
      return { change: { state: 'delivered', attempted_at: now(), answer: null } };
    } catch (error) {
      const answer = problemOf(error);
      const isFinal = attempts >= mostAttempts || isPermanentFailure(error);
      report?.({ level: isFinal ? 'error' : 'warn', id, kind, attempts, problem: answer });
      if (isFinal) return { change: { state: 'failed', answer } };
      return { change: { state: 'waiting', due_at: now() + retryDelayMs(attempts), answer } };
    }
  }
  return {
    atOnce: 5,
    claimMs: 3 * sendTimeoutMs,
    send: (delivery) => tracer.span('email', { 'shopwright.email.kind': delivery.kind }, () => attempt(delivery)),
  };
}

async function render(templates: Partial<EmailTemplates>, delivery: Delivery): Promise<RenderedEmail | null> {
  const { id, kind, body, language, recipient } = delivery;
  const template = templates[kind as MailKind] as
    | ((data: unknown, context: MailContext) => Promise<RenderedEmail | null>)
    | undefined;
  if (!template) throw new Error(`no template for emails of kind ${kind}`);
  const locale = isLocale(language) ? language : defaultLocale;
  return template(JSON.parse(body), { id, recipient: recipient ?? '', locale });
}

/** For the address or the email. */
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
