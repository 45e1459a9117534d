/** HTTP Message Signatures (RFC 9421) with the digest of the body (RFC 9530), as far as the protocol uses them. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { findAgentKeys, readAgentKeys, writeAgentKeys } from '#server/platform/secrets/secrets.service.ts';
import { dayMs } from '#server/platform/time-zone.ts';
import { ProtocolError } from './protocol.ts';
import type { Jwk } from './registry.ts';

export interface SignedRequest {
  method: string;
  authority: string;
  /** With its query. */
  url: string;
  /** By name in lower case. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer | null;
}

export const contentDigest = (body: string | Buffer): string => `sha-256=:${hash('sha256', body, 'base64')}:`;

const curves: Readonly<Record<string, string>> = { 'P-256': 'sha256', 'P-384': 'sha384' };
const unsigned = (code: string, content: string) => new ProtocolError(401, code, content);

/** Whether the request is signed. @throws {ProtocolError} for a digest or a signature that does not hold */
export function verifyRequest(request: SignedRequest, keys: readonly Jwk[]): boolean {
  const [digest, given, input] = ['content-digest', 'signature', 'signature-input'].map((name) =>
    headerOf(request, name),
  );
  if (digest !== undefined && digest !== contentDigest(request.body ?? ''))
    throw new ProtocolError(400, 'digest_mismatch', 'Content-Digest is not that of the body.', {
      rpc: -32600,
    });
  if (given === undefined && input === undefined) return false;
  if (given === undefined || input === undefined)
    throw unsigned('signature_missing', 'Signature or Signature-Input is missing.');
  const [, label, parameters, list] = /^\s*([\w*.-]+)=((\([^()]{0,500}\))[^,]{0,300})$/.exec(input) ?? [];
  const [, value] =
    new RegExp(`(?:^|,)\\s*${label?.replace(/[*.]/g, '\\$&')}=:([A-Za-z0-9+/=]{1,200}):`).exec(given) ?? [];
  const [, keyid] = /;\s*keyid="([^"]{1,200})"/.exec(parameters ?? '') ?? [];
  if (!parameters || !list || !value || keyid === undefined)
    throw unsigned('signature_invalid', 'The signature is malformed.');
  const key = keys.find(({ kid }) => kid === keyid);
  if (!key) throw unsigned('key_not_found', `The profile publishes no key ${keyid}.`);
  const { kty = '', crv = '', x = '', y = '' } = key;
  const algorithm = kty === 'EC' ? curves[crv] : undefined;
  if (!algorithm)
    throw new ProtocolError(400, 'algorithm_unsupported', 'Keys have to be of the curve P-256 or P-384.', {
      rpc: -32600,
    });
  const components = [...list.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? '');
  const missing = requiredComponents(request).find((name) => !components.includes(name));
  if (missing !== undefined) throw unsigned('signature_invalid', `The signature does not cover ${missing}.`);
  const base = signatureBase(components, parameters, (name) => componentOf(request, name));
  const publicKey = publicKeyOf({ kty, crv, x, y });
  if (!publicKey) throw unsigned('signature_invalid', `The profile's key ${keyid} is malformed.`);
  const holds =
    base !== null &&
    verify(algorithm, base, { key: publicKey, dsaEncoding: 'ieee-p1363' }, Buffer.from(value, 'base64'));
  if (!holds) throw unsigned('signature_invalid', 'The signature does not hold.');
  return true;
}

/** Null if its coordinates are those of no point. */
function publicKeyOf(key: { kty: string; crv: string; x: string; y: string }): KeyObject | null {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    return null;
  }
}

function requiredComponents(request: SignedRequest): string[] {
  const has = (name: string) => headerOf(request, name) !== undefined;
  return [
    '@method',
    '@authority',
    '@path',
    ...(request.url.includes('?') ? ['@query'] : []),
    ...(has('ucp-agent') ? ['ucp-agent'] : []),
    ...(has('idempotency-key') && request.method !== 'GET' ? ['idempotency-key'] : []),
    ...(request.body && request.body.length > 0 ? ['content-digest', 'content-type'] : []),
  ];
}

function headerOf({ headers }: Pick<SignedRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.map((each) => each.trim()).join(', ') : value?.trim();
}

function componentOf(request: SignedRequest, name: string): string | undefined {
  const [path = '', query] = request.url.split(/\?(.*)/s);
  const derived: Readonly<Record<string, string | undefined>> = {
    '@method': request.method,
    '@authority': request.authority.toLowerCase(),
    '@path': path,
    '@query': query === undefined ? undefined : `?${query}`,
  };
  return name.startsWith('@') ? derived[name] : headerOf(request, name);
}

/** Null if a component is not there. */
function signatureBase(
  components: readonly string[],
  parameters: string,
  read: (name: string) => string | undefined,
): Buffer | null {
  const values = components.map((name) => [name, read(name)] as const);
  if (values.some(([, value]) => value === undefined)) return null;
  const lines = [...values, ['@signature-params', parameters] as const].map(
    ([name, value]) => `"${name}": ${value}`,
  );
  return Buffer.from(lines.join('\n'));
}

/** The headers that sign a body, and the values of what else they cover. */
function signed(body: string, about: Readonly<Record<string, string>>, { kid, key }: SigningKey, at: number) {
  const digest = contentDigest(body);
  const covered: Readonly<Record<string, string>> = { ...about, 'content-digest': digest };
  const names = Object.keys(covered);
  const parameters = `(${names.map((name) => `"${name}"`).join(' ')});created=${Math.floor(at / 1000)};keyid="${kid}"`;
  const base = signatureBase(names, parameters, (name) => covered[name]) ?? Buffer.alloc(0);
  const signature = sign('sha256', base, { key, dsaEncoding: 'ieee-p1363' }).toString('base64');
  return {
    'content-digest': digest,
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${signature}:`,
  };
}

export const signAnswer = (status: number, type: string, body: string, key: SigningKey, at: number) =>
  signed(body, { '@status': String(status), 'content-type': type }, key, at);

export function signPost(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  key: SigningKey,
  at: number,
) {
  const { host, pathname, search } = new URL(url);
  const query = search ? { '@query': search } : {};
  const about = { '@method': 'POST', '@authority': host, '@path': pathname, ...query, ...headers };
  return { ...headers, ...signed(body, about, key, at) };
}

/** The shop's own keys (ES256): made at first use, published in the profile, rotated by command. */
interface StoredKey {
  kid: string;
  /** PKCS 8. */
  pem: string;
  createdAt: number;
}

export interface SigningKey {
  kid: string;
  key: KeyObject;
}

/** For how long a key that signs no more is still published: the protocol asks for seven days at least. */
const graceMs = 14 * dayMs;
/** Another process may have rotated. */
const rereadMs = 60_000;

function newKey(at: number): StoredKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { kid: `shop-${hash('sha256', pem).slice(0, 12)}`, pem, createdAt: at };
}

export type AgentKeys = ReturnType<typeof createAgentKeys>;

export function createAgentKeys({ db, now }: { db: Database; now: () => number }) {
  let kept: { at: number; keys: StoredKey[]; signing: SigningKey } | null = null;

  async function current() {
    if (kept && kept.at > now() - rereadMs) return kept;
    const stored =
      (await findAgentKeys(db.read)) ?? (await readAgentKeys(db, JSON.stringify([newKey(now())])));
    const keys = JSON.parse(stored) as [StoredKey, ...StoredKey[]];
    const [newest] = keys;
    kept = { at: now(), keys, signing: { kid: newest.kid, key: createPrivateKey(newest.pem) } };
    return kept;
  }

  return {
    signing: async (): Promise<SigningKey> => (await current()).signing,

    /** The public halves, newest first. */
    published: async () =>
      (await current()).keys.map(({ kid, pem }) => {
        const jwk = createPublicKey(pem).export({ format: 'jwk' });
        return { kid, ...jwk, use: 'sig', alg: 'ES256' };
      }),

    /** Signs with a new key from now on; the former ones stay published for two weeks. Returns the new one's id. */
    async rotate({ trx, note }: Change): Promise<string> {
      const keys = JSON.parse((await findAgentKeys(trx)) ?? '[]') as StoredKey[];
      const fresh = newKey(now());
      // What ended when its successor was made.
      const recent = keys.filter(
        (_, index) => (index === 0 ? now() : (keys[index - 1]?.createdAt ?? 0)) > now() - graceMs,
      );
      await writeAgentKeys(trx, JSON.stringify([fresh, ...recent]));
      note('setting', 'agentKeys', [{ field: 'kid', from: keys[0]?.kid, to: fresh.kid }]);
      kept = null;
      return fresh.kid;
    },
  };
}
