/** The shop's own keys (ES256): made at first use, published in the profile, rotated by command. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto';
import type { Database } from '#db/database.ts';
import type { Change } from '#server/modules/changes/index.ts';
import { dayMs } from '#server/platform/durations.ts';
import { findAgentKeys, readAgentKeys, writeAgentKeys } from '#server/platform/secrets/secrets.service.ts';

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
    const stored = (await findAgentKeys(db.read)) ?? (await readAgentKeys(db, JSON.stringify([newKey(now())])));
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
      const recent = keys.filter((_, index) => (index === 0 ? now() : (keys[index - 1]?.createdAt ?? 0)) > now() - graceMs);
      await writeAgentKeys(trx, JSON.stringify([fresh, ...recent]));
      note('setting', 'agentKeys', [{ field: 'kid', from: keys[0]?.kid, to: fresh.kid }]);
      kept = null;
      return fresh.kid;
    },
  };
}
