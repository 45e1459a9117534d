/** The words by which the staff find an order or a customer. */

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

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC').slice(0, longestWord);
}

/** Digits are compared without what stands between them, such as those of a phone number. */
const wordOf = (word: string) => (/^[+\d().-]+$/.test(word) ? word.replaceAll(/\D/g, '').slice(-10) : fold(word));

/** The words of a note. Chinese has no spaces, so what follows each character is one. */
function wordsOf(note: string): string[] {
  return note.split(/[\s\p{P}]+/u).flatMap((word) => {
    const characters = [...word.slice(0, 20)];
    return /\p{Script=Han}/u.test(word) ? characters.map((_, from) => characters.slice(from).join('')) : [word];
  });
}

/**
 * The words of an order: its number with and without what precedes its running number, names, email addresses, the ends of phone
 * numbers, SKUs, notes, and its table as `#12`. A search finds what begins with its words.
 */
export function orderWords({ number, people, table, comment = '', lines = [] }: WordedOrder): string[] {
  const words = new Set<string>();
  const add = (text: string) => {
    if (text !== '') words.add(fold(text));
  };
  const digits = number?.split('-').at(-1) ?? '';
  for (const text of [number ?? '', digits, digits.replace(/^[#0]+/, '')]) add(text);
  for (const word of people.flatMap((person) => (person ? personWords(person) : []))) words.add(word);
  if (table) add(`#${table}`);
  for (const { sku } of lines) add(wordOf(sku));
  for (const word of [comment, ...lines.map(({ note }) => note)].flatMap(wordsOf).slice(0, mostNoted)) add(wordOf(word));
  return [...words];
}

export function personWords({ firstName = '', lastName = '', email = '', phoneNumber = '' }: Person): string[] {
  const phone = phoneNumber.replaceAll(/\D/g, '');
  const words = [
    ...[firstName, lastName].flatMap((name) => name.split(/[\s·-]+/)),
    /\p{Script=Han}/u.test(lastName + firstName) ? (lastName + firstName).replaceAll(/\s/g, '') : '',
    email.trim(),
    ...[10, 7, 4].map((length) => phone.slice(-length)),
  ];
  return [...new Set(words.filter((word) => word !== '').map(fold))];
}

/** The words of a query, the longest first: it names the fewest orders. */
export function queryWords(text: string): string[] {
  const wanted = new Set(
    text
      .split(/\s+/)
      .map(wordOf)
      .filter((word) => word !== ''),
  );
  return [...wanted].sort((a, b) => b.length - a.length).slice(0, mostWords);
}
