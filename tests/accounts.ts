/** Customer accounts and received emails, for tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Shopper, TestApp } from './test-app.ts';

export const goodPassword = 'a pot of oolong at four';

export interface Customer {
  session: Shopper;
  id: string;
  email: string;
}

let made = 0;

/** Registers a customer and leaves them signed in. `session` is the browser that registers. */
export async function register(
  testApp: TestApp,
  change: object = {},
  session = testApp.shopper(),
): Promise<Customer> {
  made += 1;
  const body = {
    firstName: 'Mei',
    lastName: 'Chen',
    email: `mei.${made}@example.com`,
    password: goodPassword,
    ...change,
  };
  const { user } = await testApp.call('clientRegistration', { session, body });
  if (!user) throw new Error('Registered, but nobody');
  return { session, id: user.id, email: user.email };
}

/** Tries to sign in and returns the whole answer. `address` is the client’s address, if the test app trusts its proxy. */
export function signOn(
  testApp: TestApp,
  userID: string,
  password = goodPassword,
  session = testApp.shopper(),
  address?: string,
) {
  const headers = address ? { 'x-forwarded-for': address } : {};
  return testApp.ask('signon', { session, body: { userID, password }, headers });
}

export interface ReadMail {
  file: string;
  headers: Record<string, string>;
  text: string;
  html: string;
}

/** By their files, which are written once: tests read the outbox again and again. */
const read = new Map<string, ReadMail>();

/** Sends due emails, and reads every email in the outbox folder in the order of writing. */
export async function outbox(testApp: TestApp): Promise<ReadMail[]> {
  await testApp.services.deliveries.run();
  const folder = join(testApp.dataDir, 'outbox');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((file) => {
      const path = join(folder, file);
      const mail = read.get(path) ?? readMail(path);
      read.set(path, mail);
      return mail;
    });
}

/** The emails to an address, optionally of one kind. */
export async function mailsFor(testApp: TestApp, email: string, kind = ''): Promise<ReadMail[]> {
  return (await outbox(testApp)).filter(
    ({ file, headers }) => headers.to?.includes(email) && file.includes(kind),
  );
}

/** The temporary password in an email. */
export function temporaryPasswordIn({ text }: ReadMail): string {
  const [found = ''] = /\b[a-z0-9]{4}(-[a-z0-9]{4}){3}\b/.exec(text) ?? [];
  return found;
}

/** Reads an .eml file with a text and an HTML part. */
export function readMail(file: string): ReadMail {
  return { file, ...parseMail(readFileSync(file, 'utf8')) };
}

/** Decodes the encoded words of RFC 2047. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, base64: string) => Buffer.from(base64, 'base64').toString())
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, quoted: string) =>
      decodeURIComponent(
        quoted
          .replaceAll('_', ' ')
          .replaceAll('%', '%25')
          .replace(/=([0-9A-F]{2})/gi, '%$1'),
      ),
    );
}

/** The decoded subject of an email. */
export function subjectOf({ headers }: Pick<ReadMail, 'headers'>): string {
  return decodeWords(headers.subject ?? '');
}

export function parseMail(source: string): Omit<ReadMail, 'file'> {
  const { headers, body } = parsePart(source);
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] ?? '';
  const parts = body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => parsePart(part.replace(/^\r\n/, '')));
  const of = (type: string) => parts.find((part) => part.headers['content-type']?.startsWith(type));
  return { headers, text: decode(of('text/plain')), html: decode(of('text/html')) };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

function parsePart(source: string): Part {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return { headers: Object.fromEntries(headers), body: rest.join('\r\n\r\n') };
}

function decode(part: Part | undefined): string {
  const encoding = part?.headers['content-transfer-encoding'];
  const body = part?.body ?? '';
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Resets the customer’s password with an emailed temporary one, and signs them in. */
export async function confirmEmail(
  testApp: TestApp,
  email: string,
  password = 'a kettle of keemun at five',
): Promise<Shopper> {
  await testApp.call('forgotPassword', { session: testApp.shopper(), query: { emailID: email } });
  const mails = await mailsFor(testApp, email, 'temporaryPassword');
  const temporaryPassword = mails.map(temporaryPasswordIn).at(-1) ?? '';
  const body = { userID: email, temporaryPassword, password, passwordConfirm: password };
  await testApp.call('resetPasswordExternal', { session: testApp.shopper(), body });
  const session = testApp.shopper();
  await signOn(testApp, email, password, session);
  return session;
}
