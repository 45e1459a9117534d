/** What the fields of a form are called, and how people write what they hold. */
import { inLocale, type Locale, type LocalText } from '#contract/locales.ts';
import { decimalText } from '#contract/money.ts';

export type Path = readonly string[];
type Print = (value: unknown) => string;

interface Words {
  label: string;
  print: Print | undefined;
}

export const nothing = '–';

/** By the keys of paths; each field notes its own when it is drawn. `print` may get null. */
export function createFieldWords() {
  const fields = new Map<string, Words>();
  const at = (path: Path) => fields.get(path.join('.'));

  /** As its field shows it, else by what its parts are called, else by its name. */
  function textOf(path: Path, value: unknown, locale: Locale): string {
    const { print } = at(path) ?? {};
    if (value === undefined || value === '') return nothing;
    if (print) return print(value) || nothing;
    if (value === null) return nothing;
    if (Array.isArray(value))
      return value.map((each) => textOf([...path, '*'], each, locale)).join(', ') || nothing;
    if (!isRecord(value)) return wordsOf(String(value));
    const parts = Object.entries(value).flatMap(([name, part]) => {
      const inner = [...path, name];
      const label = at(inner)?.label;
      return label && !isNothing(part) ? [`${label}: ${textOf(inner, part, locale)}`] : [];
    });
    if (parts.length === 0) return nameOf(value, locale);
    return [...(isRecord(value.name) ? [nameOf(value, locale)] : []), ...parts].join(' · ');
  }

  return {
    note(path: Path, label: string, print?: Print): Path {
      fields.set(path.join('.'), { label, print });
      return path;
    },
    shown: () => [...fields.keys()],
    /** Also of what is part of a field. */
    labelOf: (path: Path): string =>
      path.map((_, index) => at(path.slice(0, path.length - index))?.label).find(Boolean) ?? path.join(' › '),
    textOf,
  };
}

/** A number as a field writes it; with a currency, an amount of money. */
export function writtenNumber(value: unknown, currency?: string): string {
  if (typeof value !== 'number') return String(value ?? '');
  return currency === undefined ? String(value) : decimalText(value, currency);
}

/** A time of day as it is stored, `09:30`, from the ways in which people type it: 7, 7:00, 7.30, 0730, 7 pm. Else the text as it is. */
export function writtenClock(text: string): string {
  const typed = text.normalize('NFKC').trim().toLowerCase().replaceAll('.', ':').replace(/\s+/g, ' ');
  const [, hour = '', minute = '00', half] =
    /^(\d{1,2})(?::?(\d{2}))? ?(am|pm|a:m:|p:m:)?$/.exec(typed) ?? [];
  const hours = Number(hour);
  const isOfHalf = half === undefined ? hours <= 24 : hours >= 1 && hours <= 12;
  if (hour === '' || !isOfHalf || Number(minute) > 59) return text;
  const whole = half === undefined ? hours : (hours % 12) + (half.startsWith('p') ? 12 : 0);
  return `${String(whole).padStart(2, '0')}:${minute}`;
}

const isNothing = (value: unknown) => value === null || value === undefined || value === '';
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

function nameOf(value: Record<string, unknown>, locale: Locale): string {
  const { name, open, close, sku, date, id } = value;
  if (isRecord(name)) return inLocale(name as LocalText, locale);
  if (open && close) return `${open}–${close}`;
  const own = [name, sku, date, id].find((each) => typeof each === 'string');
  return own === undefined ? textsIn(value) || nothing : String(own);
}

const textsIn = (value: Record<string, unknown>) =>
  Object.values(value)
    .filter((each) => typeof each === 'string' && each !== '')
    .join(', ');

/** Of formatted text the words: nobody reads markup. */
export function wordsOf(text: string): string {
  if (!/<\/(?:[a-z]|h\d)+>|<br \/>/.test(text)) return text;
  const spaced = text.replaceAll(
    /<(?:br|\/(?:p|h\d|li|dt|dd|t[dhr]|figcaption|caption|blockquote))\b/g,
    ' $&',
  );
  return new DOMParser().parseFromString(spaced, 'text/html').body.textContent.trim() || nothing;
}
