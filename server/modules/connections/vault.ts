/** Encrypts what owners set in the office, by a key that is not in the database: of the environment, or of a file beside the data. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '#server/platform/env.ts';

/** Below the data folder. */
export const keyFileName = 'connections.key';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const form = '1';

/** The value was encrypted by a key that this machine does not have, or is damaged. */
export class LockedError extends Error {
  override name = 'LockedError';
}

interface Key {
  bytes: Buffer;
  /** Says which key encrypted a value; nothing about the key follows from it. */
  id: string;
}

export type Vault = ReturnType<typeof createVault>;

export function createVault({ dataDir, connectionsKey }: Pick<Env, 'dataDir' | 'connectionsKey'>) {
  const file = join(dataDir, keyFileName);
  let kept: Key | null = connectionsKey && keyOf(connectionsKey);

  async function key(): Promise<Key | null> {
    kept ??= await readKey(file);
    return kept;
  }

  return {
    /** Says which key encrypts what is set from now on; null without one. */
    keyId: async (): Promise<string | null> => (await key())?.id ?? null,

    /** Makes a key if there is none. Several processes that do it at once have the same one. */
    async makeKey(): Promise<void> {
      if (await key()) return;
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const part = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
      try {
        await writeFile(part, `${randomBytes(keyBytes).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
        // A link never takes the place of a file that is there.
        await link(part, file).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== 'EEXIST') throw error;
        });
      } finally {
        await rm(part, { force: true });
      }
      await key();
    },

    /** Encrypts a text for one field: it cannot be read as that of another one. @throws {LockedError} without a key */
    async encrypt(field: string, text: string): Promise<string> {
      const found = await key();
      if (!found) throw new LockedError();
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv('aes-256-gcm', found.bytes, iv).setAAD(Buffer.from(field));
      const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return [form, found.id, iv.toString('base64url'), encrypted.toString('base64url')].join('.');
    },

    /** @throws {LockedError} if its key is not here, or the value is damaged */
    async decrypt(field: string, text: string): Promise<string> {
      const found = await key();
      const [version, id, iv = '', encrypted = ''] = text.split('.');
      if (!found || version !== form || id !== found.id) throw new LockedError();
      const bytes = Buffer.from(encrypted, 'base64url');
      try {
        const decipher = createDecipheriv('aes-256-gcm', found.bytes, Buffer.from(iv, 'base64url'), {
          authTagLength: tagBytes,
        })
          .setAAD(Buffer.from(field))
          .setAuthTag(bytes.subarray(-tagBytes));
        return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]).toString(
          'utf8',
        );
      } catch {
        throw new LockedError();
      }
    },

    /** Whether others than its owner may read the file of the key; false without one. */
    async isOpenToOthers(): Promise<boolean> {
      const mode = await stat(file).then(
        (found) => found.mode,
        () => 0,
      );
      return (mode & 0o077) !== 0;
    },

    file,
  };
}

const keyOf = (bytes: Buffer): Key => ({
  bytes,
  id: hash('sha256', Buffer.concat([Buffer.from('key id '), bytes])).slice(0, 12),
});

/** @throws {Error} for a file that is not a key: a new one in its place would lock out what the old one encrypted */
async function readKey(file: string): Promise<Key | null> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const bytes = Buffer.from(text.trim(), 'base64');
  if (bytes.length !== keyBytes)
    throw new Error(`${file} is not a key: it must be ${keyBytes} bytes in Base64`);
  return keyOf(bytes);
}
