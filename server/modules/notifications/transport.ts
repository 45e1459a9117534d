import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transporter } from 'nodemailer';
import type { Env } from '#server/platform/env.ts';

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
  /** Without secrets, for people to read. */
  readonly destination: string;
}

export const sendTimeoutMs = 60_000;
const connectMs = 10_000;

/** Loaded with the first email: it takes megabytes that few processes need. */
const nodemailer = () => import('nodemailer');

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
  const composer = async () => (await nodemailer()).createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
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
