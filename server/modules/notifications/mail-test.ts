/** Tries the mail server by an email to whoever asks, at once and past the queue, and says in words what came of it. */
import { randomUUID } from 'node:crypto';
import { type StaffMessageKey, staffTranslate } from '#contract/staff/messages.ts';
import type { ConnectionsService, ConnectionTest, TestResult } from '#server/modules/connections/index.ts';
import { type EmailRegistry, renderStaffEmail } from './email-frame.ts';
import { createMailTransport } from './mail-sender.ts';

interface MailTestDeps {
  now: () => number;
  emails: Pick<EmailRegistry, 'shopFor'>;
  connections: Pick<ConnectionsService, 'current'>;
}

export function createMailTest({ now, emails, connections }: MailTestDeps): ConnectionTest {
  return async ({ email, locale }) => {
    const { smtpUrl } = await connections.current();
    if (smtpUrl === null) return { works: false, text: 'office.connections.test.off' };
    const t = staffTranslate(locale);
    const shop = await emails.shopFor(locale);
    const subject = t('office.connections.mail.test.subject', { shop: shop.name });
    const text = t('office.connections.mail.test.text');
    const rendered = renderStaffEmail({
      shop,
      locale,
      subject,
      title: subject,
      parts: [{ kind: 'text', text }],
      why: t('office.connections.mail.test.why'),
    });
    const transport = createMailTransport({ smtpUrl, dataDir: '' });
    try {
      await transport.send({
        id: randomUUID(),
        kind: 'connectionTest',
        createdAt: now(),
        to: email,
        ...rendered,
      });
      return { works: true, text: 'office.connections.mail.test.sent', values: { email } };
    } catch (error) {
      return refusal(error, transport.destination);
    } finally {
      transport.close();
    }
  };
}

const network: Readonly<Record<string, StaffMessageKey>> = {
  EAUTH: 'office.connections.mail.test.auth',
  ENOAUTH: 'office.connections.mail.test.auth',
  EDNS: 'office.connections.test.unknownHost',
  ENOTFOUND: 'office.connections.test.unknownHost',
  EAI_AGAIN: 'office.connections.test.unknownHost',
  ECONNREFUSED: 'office.connections.test.refused',
  ECONNECTION: 'office.connections.test.refused',
  ETIMEDOUT: 'office.connections.test.silent',
  ETLS: 'office.connections.mail.test.tls',
};

/** By the codes alone: the words of a mail server may repeat addresses. */
function refusal(error: unknown, host: string): TestResult {
  const {
    code = '',
    responseCode,
    command = '',
    message = '',
  } = error as { code?: string; responseCode?: number; command?: string; message?: string };
  const values = { host };
  if (command === 'MAIL FROM') return { works: false, text: 'office.connections.mail.test.sender', values };
  if (command === 'RCPT TO') return { works: false, text: 'office.connections.mail.test.recipient', values };
  // Of the connection itself, the library says only in words what the system said. They are not the mail server's.
  const isOfNetwork = ['ESOCKET', 'ECONNECTION', 'EDNS', 'ETLS'].includes(code);
  if (isOfNetwork && /certificate|altnames/i.test(message))
    return { works: false, text: 'office.connections.test.certificate', values };
  if (isOfNetwork && /SSL routines|wrong version/i.test(message))
    return { works: false, text: 'office.connections.mail.test.tls', values };
  const [inner = ''] = (isOfNetwork && /\bE[A-Z_]{4,}\b/.exec(message)) || [];
  const known = network[inner] ?? network[code];
  if (known) return { works: false, text: known, values };
  const reason = [code || 'Error', command, responseCode].filter(Boolean).join(' ');
  return { works: false, text: 'office.connections.test.failed', values: { host, reason } };
}
