import type { FieldErrors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { MessageKey } from '../locales.ts';
import { isBlank } from './fields.ts';

/** Long enough to be accepted, for the browser. The server has a much longer list (`common-passwords.ts`). */
const common = new Set(
  (
    '1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qazwsxedcrfv q1w2e3r4t5 q1w2e3r4t5y6 zaq12wsxcde3 123qweasdzxc qweasdzxc123 ' +
    'password12 password123 password1234 password12345 passw0rd123 p@ssw0rd123 p@ssword123 passwordpassword mypassword ' +
    'mypassword1 mypassword123 changeme123 changemenow welcome123 welcome1234 welcome2024 welcome2025 welcome2026 letmein123 ' +
    'letmeinnow iloveyou12 iloveyou123 iloveyou1234 iloveyousomuch princess123 sunshine123 football123 baseball123 basketball ' +
    'superman123 batman1234 dragon1234 monkey1234 charlie123 michael123 jennifer123 liverpool123 administrator admin12345 ' +
    'admin123456 adminadmin administrator1 root123456 testtest12 test123456 abc1234567 abcd123456 abc123abc123 a123456789 ' +
    '123456789a 1234567890a a1234567890 qwerty1234 qwerty12345 qwerty123456 qwertyuiop123 asdfghjkl123 asdf123456 zxcvbnm123 ' +
    'woaini1314 woaini520 woaini1314520 5201314520 1314520520 woaiwojia1 wo123456789 5201314woaini secret1234 trustno1trustno1 ' +
    'correcthorse correcthorsebatterystaple whatever123 computer123 internet123 samsung123 google12345 shopwright shopwright123'
  ).split(' '),
);
const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
];
const shortestPart = 4;

export interface PasswordFields {
  password?: string | undefined;
  /** The repeated password; compared if it is present. */
  passwordConfirm?: string | undefined;
}

/** `owner` is the customer's email and names, none of which may be the password. */
export function passwordErrors(
  { password = '', passwordConfirm }: PasswordFields,
  owner: readonly (string | undefined)[] = [],
): FieldErrors {
  const errors: FieldErrors = {};
  const problem = passwordProblem(password, owner);
  if (problem) errors.password = problem;
  else if (passwordConfirm !== undefined && isBlank(passwordConfirm))
    errors.passwordConfirm = 'rule.passwordConfirmMissing';
  else if (passwordConfirm !== undefined && passwordConfirm !== password)
    errors.passwordConfirm = 'rule.passwordMismatch';
  return errors;
}

function passwordProblem(
  password: string,
  owner: readonly (string | undefined)[],
): FieldErrors[string] | null {
  if (password === '') return 'rule.passwordMissing';
  const length = [...password].length;
  if (length < limits.passwordMin)
    return { key: 'rule.passwordShort', values: { limit: limits.passwordMin } };
  if (length > limits.passwordMax) return { key: 'rule.passwordLong', values: { limit: limits.passwordMax } };
  if (isOwners(password, owner)) return 'rule.passwordIsEmail';
  return isCommon(password) ? 'rule.passwordCommon' : null;
}

/** Or the part of the email before its @, alone or surrounded by digits and punctuation. */
function isOwners(password: string, owner: readonly (string | undefined)[]): boolean {
  const bare = plainPassword(password);
  const known = owner.flatMap((text = '') => [text, text.split('@', 1)[0] ?? '']).map(plainPassword);
  const together = plainPassword(owner.filter((text) => text && !text.includes('@')).join(''));
  return [...known, together].some(
    (text) => text.length >= shortestPart && strippedPassword(bare) === strippedPassword(text),
  );
}

function isCommon(password: string): boolean {
  const bare = plainPassword(password);
  if (new Set(bare).size <= 2 || common.has(bare)) return true;
  // A short piece repeated, or a run of keys, letters or digits.
  if (/^(.{1,4})\1+$/u.test(bare)) return true;
  return rows.some((row) => row.includes(bare) || [...row].reverse().join('').includes(bare));
}

/** For comparison: lower case, without spaces and . ! ? _ - */
export function plainPassword(text: string): string {
  return text.toLowerCase().replace(/[\s.!?_-]+/gu, '');
}

/** Without digits and punctuation at either end; unchanged if nothing would be left. */
export function strippedPassword(text: string): string {
  return text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '') || text;
}

export interface PasswordAdvice {
  /** 0 (rejected) to 4 (very good). */
  strength: 0 | 1 | 2 | 3 | 4;
  advice: MessageKey;
}

/** Length counts most; a mix of character kinds helps a little. */
export function passwordAdvice(
  password: string,
  owner: readonly (string | undefined)[] = [],
): PasswordAdvice {
  const length = [...password].length;
  if (length < limits.passwordMin) return { strength: 0, advice: 'account.password.advice.longer' };
  if (passwordProblem(password, owner)) return { strength: 0, advice: 'account.password.advice.guessable' };
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u, /\p{Lo}/u].filter((kind) =>
    kind.test(password),
  ).length;
  const variety = new Set(password).size;
  const points = length + 2 * (kinds - 1) + Math.min(variety, 12) / 2;
  if (points >= 26) return { strength: 4, advice: 'account.password.advice.great' };
  if (points >= 20) return { strength: 3, advice: 'account.password.advice.good' };
  if (points >= 16) return { strength: 2, advice: 'account.password.advice.words' };
  return { strength: 1, advice: 'account.password.advice.words' };
}
