/** Keys sort by code units as readers expect: Chinese by pinyin, digits as numbers, without regard to case and accents. */
import { type Locale, localeCodes, locales } from '#contract/locales.ts';

/** Letters and signs below Chinese; with it, what most names are written in. */
const lettersEnd = 0x3100;
const ideographs = { from: 0x4e00, end: 0xa000 };
/** Ranks are code units from here on, so that no key contains a separator. */
const firstUnit = 0x20;
/** Before every rank: a name sorts before longer ones that begin with it. */
const separator = '\u0001';

const alphabets = new Map<Locale, ReadonlyMap<string, string>>();

/** Names that differ in case or accents only are sorted by their code units. */
export function nameKey(locale: Locale, name: string): string {
  const units = alphabetOf(locale);
  const text = name.normalize('NFC');
  const key = text.replace(/\d+|[^\d]/gu, (part) =>
    /^\d/.test(part) ? numberKey(part, units) : (units.get(part) ?? rareKey(part)),
  );
  return `${key}${separator}${text}`;
}

/** By the number of digits, then by the digits. */
function numberKey(digits: string, units: ReadonlyMap<string, string>): string {
  const number = digits.replace(/^0+(?=\d)/, '');
  return `${units.get('0')}${String.fromCharCode(firstUnit + number.length)}${number}`;
}

/** Anything that no alphabet contains sorts after everything else, by code point. */
function rareKey(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\uf000${String.fromCharCode(firstUnit + (code >> 12), firstUnit + (code & 0xfff))}`;
}

/** Takes a tenth of a second, for which the first transaction to need them would hold the writer. */
export function makeAlphabets(): void {
  for (const locale of localeCodes) alphabetOf(locale);
}

/** '' for characters that a language ignores. */
function alphabetOf(locale: Locale): ReadonlyMap<string, string> {
  const known = alphabets.get(locale);
  if (known) return known;
  const { compare } = new Intl.Collator(locales[locale].tag, { sensitivity: 'base' });
  const characters = [...between(0x20, lettersEnd), ...between(ideographs.from, ideographs.end)].sort(compare);
  const units = new Map<string, string>();
  let rank = firstUnit;
  for (const [index, character] of characters.entries()) {
    const isIgnored = compare(character, '') === 0;
    if (!isIgnored && compare(characters[index - 1] ?? '', character) !== 0) rank += 1;
    units.set(character, isIgnored ? '' : String.fromCharCode(rank));
  }
  alphabets.set(locale, units);
  return units;
}

function between(from: number, end: number): string[] {
  return Array.from({ length: end - from }, (_, index) => String.fromCharCode(from + index));
}
