/** The words by which the staff find an order. */

interface Person {
  firstName?: string;
  lastName?: string;
  email?: string;
  phoneNumber?: string;
}

/** As few as a search compares: more words of a query, and more characters of a word, are not looked at. */
const mostWords = 6;
const longestWord = 80;

function fold(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().normalize('NFC').slice(0, longestWord);
}

/** Number, names, email addresses, and the ends of phone numbers. A search finds what begins with its words. */
export function orderWords(number: string | null, people: readonly (Person | null)[]): string[] {
  const words = new Set<string>();
  const add = (text: string) => {
    if (text !== '') words.add(fold(text));
  };
  const digits = number?.split('-').at(-1) ?? '';
  for (const text of [number ?? '', digits, digits.replace(/^0+/, '')]) add(text);
  for (const person of people) {
    if (!person) continue;
    const { firstName = '', lastName = '', email = '', phoneNumber = '' } = person;
    for (const name of [firstName, lastName]) for (const word of name.split(/[\s·-]+/)) add(word);
    if (/\p{Script=Han}/u.test(lastName + firstName)) add((lastName + firstName).replaceAll(/\s/g, ''));
    add(email.trim());
    const phone = phoneNumber.replaceAll(/\D/g, '');
    for (const length of [10, 7, 4]) add(phone.slice(-length));
  }
  return [...words];
}

/** The longest first: it names the fewest orders. */
export function queryWords(text: string): string[] {
  const words = text.split(/\s+/).map((word) => (/^[+\d().-]+$/.test(word) ? word.replaceAll(/\D/g, '').slice(-10) : fold(word)));
  const wanted = new Set(words.filter((word) => word !== ''));
  return [...wanted].sort((a, b) => b.length - a.length).slice(0, mostWords);
}
