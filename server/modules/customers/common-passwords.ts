/** Some 12,000, each long enough to be accepted. `scripts/common-passwords.ts` writes the list and names its sources. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { plainPassword, strippedPassword } from '#contract/rules/password.ts';

let list: Buffer | undefined;

/** Case, spaces and . ! ? _ - do not matter. Reads the list on the first call. */
export function isFrequentPassword(password: string): boolean {
  list ??= readFileSync(new URL('./common-passwords.bin', import.meta.url));
  return includes(list, fingerprintOf(plainPassword(password)), fingerprintSize);
}

function includes(sorted: Buffer, wanted: Buffer, size: FingerprintSize): boolean {
  let low = 0;
  let high = sorted.length / size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = wanted.compare(sorted, middle * size, (middle + 1) * size);
    if (order === 0) return true;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return false;
}

/** In each language, as written and with `and` for a sign, and the parts of its host except the top-level domain. */
export function shopWords(shopName: Readonly<Record<string, string>>, publicUrl: string | null): string[] {
  const host = publicUrl === null ? '' : new URL(publicUrl).hostname;
  const names = Object.values(shopName);
  const spoken = names.map((name) => name.replace(/[&+]/g, ' and '));
  return [
    ...new Set([...names, ...spoken, host, ...host.split('.').slice(0, -1)].map(lettersAndDigits)),
  ].filter(isTelling);
}

/** Once or repeated, with digits and punctuation around them. */
export function isMadeOf(words: readonly string[], password: string): boolean {
  let rest = lettersAndDigits(strippedPassword(plainPassword(password)));
  const before = rest;
  for (const word of [...words].sort((a, b) => b.length - a.length)) rest = rest.replaceAll(word, '');
  return rest !== before && !/\p{L}/u.test(rest);
}

function lettersAndDigits(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** A word of two or three Latin letters occurs in too many passwords to matter; two Han characters are a name. */
function isTelling(word: string): boolean {
  return word.length >= 4 || /\p{Script=Han}{2}/u.test(word);
}

/** In bytes. Of 89 million passwords outside a list of 12,388, one shares a fingerprint with a listed one. */
export const fingerprintSize = 5;
export type FingerprintSize = typeof fingerprintSize;

/** `plain` is normalised by `plainPassword`. */
export function fingerprintOf(plain: string): Buffer {
  return createHash('sha256').update(plain).digest().subarray(0, fingerprintSize);
}
