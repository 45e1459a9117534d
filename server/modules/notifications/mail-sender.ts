import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import { defaultLocale, isLocale, type Locale } from '#contract/locales.ts';
import type { Delivery, Outcome, Sender } from '#server/platform/deliveries/delivery-queue.ts';
import type { Env } from '#server/platform/env.ts';
import { noTracer, type Tracer } from '#server/platform/telemetry/tracer.ts';
import type { MailData, MailDataOf, MailKind } from './outbox.service.ts';

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
type TemplatesFor<D> = {
  [K in keyof D]: (data: D[K], context: MailContext) => Promise<RenderedEmail | null>;
};
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
  /** As it is set up when an email is sent. */
  transport: () => Promise<MailTransport>;
  /** By kind; looked up when an email is sent. */
  templates: Partial<EmailTemplates>;
  report?: ((failure: DeliveryFailure) => void) | undefined;
  tracer?: Tracer | undefined;
}

const mostAttempts = 9;

/** The answer of a delivery that reached nobody. */
export const writtenToFile = 'FILE';

/** 30 s, then four times the last, at most 12 h. */
export function retryDelayMs(attempts: number): number {
  return Math.min(30_000 * 4 ** (attempts - 1), 12 * 60 * 60_000);
}

export function createMailSender({
  now,
  transport,
  templates,
  report,
  tracer = noTracer,
}: MailSenderDeps): Sender {
  async function attempt(delivery: Delivery): Promise<Outcome> {
    const { id, kind, attempts } = delivery;
    try {
      const mail = await render(templates, delivery);
      if (!mail) return { change: null };
      const sending = { id, kind, createdAt: delivery.created_at, to: delivery.recipient ?? '', ...mail };
      const { send, writesFiles } = await transport();
      await tracer.span('email delivery', {}, () => send(sending), 'client');
      return {
        change: { state: 'delivered', attempted_at: now(), answer: writesFiles ? writtenToFile : null },
      };
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
    send: (delivery) =>
      tracer.span('email', { 'shopwright.email.kind': delivery.kind }, () => attempt(delivery)),
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
    typeof responseCode === 'number' &&
    responseCode >= 550 &&
    responseCode < 560 &&
    (command === 'RCPT TO' || command === 'DATA')
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

export interface OutgoingEmail {
  /** Of the row; the same email sent again is the same file and has the same Message-ID. */
  id: string;
  kind: string;
  createdAt: number;
  from: { name: string; address: string };
  to: string;
  replyTo?: string;
  subject: string;
  text: string;
  html: string;
}

export interface MailTransport {
  /** Rejects if the email was not accepted. */
  send(letter: OutgoingEmail): Promise<void>;
  close(): void;
  /** Nobody gets what it sends. */
  readonly writesFiles?: boolean;
  /** Without secrets, for people to read. */
  readonly destination: string;
}

const sendTimeoutMs = 60_000;
const connectMs = 10_000;

/** Loaded with the first email: it takes megabytes that few processes need. */
const nodemailer = () => import('nodemailer');

/** The transport of the moment: another one as soon as an owner enters another mail server. */
export function createMailTransports(current: () => Promise<Pick<Env, 'smtpUrl'>>, dataDir: string) {
  let kept: { smtpUrl: string | null; transport: MailTransport } | null = null;
  return {
    async current(): Promise<MailTransport> {
      const { smtpUrl } = await current();
      if (kept?.smtpUrl !== smtpUrl) {
        kept?.transport.close();
        kept = { smtpUrl, transport: createMailTransport({ smtpUrl, dataDir }) };
      }
      return kept.transport;
    },
    close: () => kept?.transport.close(),
  };
}

export function createMailTransport(env: Pick<Env, 'smtpUrl' | 'dataDir'>): MailTransport {
  return env.smtpUrl === null ? toFolder(join(env.dataDir, 'outbox')) : toServer(env.smtpUrl);
}

function toServer(smtpUrl: string): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl);
  const secure = protocol === 'smtps:';
  const options = {
    host: hostname,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // An email to another machine is never sent unencrypted, even if the server does not offer TLS.
    requireTLS: !secure && !isThisMachine(hostname),
    ...(username ? { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } } : {}),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: sendTimeoutMs / 2,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  let transport: Transporter | undefined;
  return {
    async send(letter) {
      transport ??= (await nodemailer()).createTransport(options);
      await transport.sendMail({ ...messageOf(letter), signal: AbortSignal.timeout(sendTimeoutMs) });
    },
    close: () => transport?.close(),
    destination: `${hostname}:${port || (secure ? 465 : 587)}`,
  };
}

function isThisMachine(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname);
}

function toFolder(folder: string): MailTransport {
  const composer = async () =>
    (await nodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  let composing: ReturnType<typeof composer> | undefined;
  return {
    async send(letter) {
      composing ??= composer();
      const transport = await composing;
      const { message } = await transport.sendMail(messageOf(letter));
      const stamp = new Date(letter.createdAt).toISOString().replaceAll(':', '-');
      const file = join(folder, `${stamp}-${letter.kind}-${letter.id.slice(0, 8)}.eml`);
      const write = () => writeFile(`${file}.part`, message, { mode: 0o600 });
      await write().catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await write();
      });
      await rename(`${file}.part`, file);
    },
    close: () => {},
    writesFiles: true,
    destination: folder,
  };
}

function messageOf({ id, createdAt, from, to, replyTo, subject, text, html }: OutgoingEmail) {
  const domain = from.address.split('@')[1] ?? 'localhost';
  return {
    from,
    to: { name: '', address: to },
    ...(replyTo ? { replyTo: { name: '', address: replyTo } } : {}),
    subject,
    text,
    html,
    messageId: `<${id}@${domain}>`,
    date: new Date(createdAt),
    // Suppresses out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}
