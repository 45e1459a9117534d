/** The words by which the staff find an order or a customer. What is stored and what is searched for is cut by `formsOf`. */

interface Person {
  firstName?: string;
  lastName?: string;
  email?: string;
  phoneNumber?: string;
}

interface WordedOrder {
  number: string | null;
  people: readonly (Person | null)[];
  table?: string | null;
  comment?: string;
  lines?: readonly { sku: string; note: string }[];
}

/** As few as a search compares: more words of a query, and more characters of a word, are not looked at. */
const mostWords = 6;
const longestWord = 80;
/** Of the notes of an order. */
const mostNoted = 40;
/** A phone number is the same with and without its country: longer ones are compared by so many of their last digits. */
const mostDigits = 10;

/** Without accents and case. The sigma that ends a Greek word is the one within it, so that it begins a longer word. */
const fold = (text: string) =>
  text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ');

/** Letters and digits side by side. Chinese has no spaces, so each of its characters is one. */
const partsOf = (folded: string): string[] =>
  folded.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];

const isDigits = (word: string) => /^\d+$/.test(word);

/** A word as it is compared. */
function compared(word: string): string {
  if (isDigits(word)) return word.slice(-mostDigits);
  return [...word].slice(0, longestWord).join('');
}

/** All that a word, or a beginning of it, is compared by. */
function stored(word: string): string[] {
  const beyond = isDigits(word) ? Math.max(0, word.length - mostDigits) : 0;
  const ends = Array.from({ length: beyond }, (_, index) => word.slice(index + 1, index + 1 + mostDigits));
  return [beyond > 0 ? word : compared(word), ...ends];
}

/**
 * What a word is searched by, and all else by which it is found. It is searched by its letters and digits, whatever stands between
 * them; an email address as it is, and `#12` as the table that it names. It is found by each of its parts as well, alone and with
 * those that follow.
 */
function formsOf(word: string): { whole: string; parts: string[] } {
  const folded = fold(word);
  const parts = partsOf(folded);
  const tails = parts.map((_, from) => parts.slice(from).join(''));
  const [joined = ''] = tails;
  const whole =
    joined === '' ? '' : folded.includes('@') ? folded : folded.startsWith('#') ? `#${joined}` : joined;
  return { whole, parts: [...tails, ...parts.filter((part) => !/\p{Script=Han}/u.test(part))] };
}

const spaces = /\s+/;

/** By what a text is found: as it is written, without its punctuation, and by the beginnings of its words. */
const allOf = (text: string): string[] =>
  text.split(spaces).flatMap((word) => {
    const { whole, parts } = formsOf(word);
    return [...new Set([whole, ...parts])].filter((form) => form !== '').flatMap(stored);
  });

/** By what a text is found as a whole. */
const wholeOf = (text: string): string[] =>
  text
    .split(spaces)
    .map((word) => formsOf(word).whole)
    .filter((whole) => whole !== '')
    .flatMap(stored);

/**
 * The words of an order: its number with and without what precedes its running number, names, email addresses, phone numbers and
 * their ends, SKUs, notes, and its table as `#12`. A search finds what begins with its words.
 */
export function orderWords({ number, people, table, comment = '', lines = [] }: WordedOrder): string[] {
  const running = (number ?? '').split(/\D/).at(-1) ?? '';
  const words = [
    ...allOf(number ?? ''),
    ...allOf(running),
    ...allOf(running.replace(/^0+/, '')),
    ...people.flatMap((person) => (person ? personWords(person) : [])),
    ...(table ? wholeOf(`#${table}`) : []),
    ...lines.flatMap(({ sku }) => wholeOf(sku)),
    ...[comment, ...lines.map(({ note }) => note)].flatMap(allOf).slice(0, mostNoted),
  ];
  return [...new Set(words)];
}

export function personWords({
  firstName = '',
  lastName = '',
  email = '',
  phoneNumber = '',
}: Person): string[] {
  const name = lastName + firstName;
  const phone = phoneNumber.trim().replaceAll(/\s+/g, '-');
  const digits = fold(phone).replaceAll(/\D/g, '');
  const local = email.trim().split('@')[0] ?? '';
  const words = [
    ...[firstName, lastName, /\p{Script=Han}/u.test(name) ? name.replaceAll(/\s/g, '') : ''].flatMap(allOf),
    ...wholeOf(email),
    ...(partsOf(fold(local)).length > 1 ? allOf(local) : []),
    ...allOf(phone),
    ...[mostDigits, 7, 4].map((length) => digits.slice(-length)),
  ];
  return [...new Set(words)].filter((word) => word !== '');
}

/** The words of a query, the longest first: it names the fewest orders. */
export function queryWords(text: string): string[] {
  const wanted = new Set(
    text
      .split(spaces)
      .map((word) => compared(formsOf(word).whole))
      .filter((word) => word !== ''),
  );
  return [...wanted].sort((a, b) => b.length - a.length).slice(0, mostWords);
}
