/** Which translations are older than what they translate: the journal says it, read once and then followed. */
import { isLocale, type Locale, localeCodes } from '#contract/locales.ts';
import { entryNames, isEqual } from '#contract/rules/patch.ts';
import type { Kind } from '#contract/staff/messages.ts';
import { fieldOf, pathOf } from '#server/platform/local-texts.ts';
import { confirming } from './documents.ts';
import type { EntryWithWayBack } from './journal.repository.ts';

/** By the field of a text and the language of its translation: what the text said when that was written, undefined if nobody knows. */
type OfDocument = Map<string, Map<Locale, unknown>>;

export type StaleTexts = ReturnType<typeof createStaleTexts>;

export function createStaleTexts(main: Locale) {
  const documents = new Map<string, OfDocument>();
  const key = (kind: Kind, id: string) => `${kind} ${id}`;

  function change(key: string, work: (of: OfDocument) => void): void {
    const of = documents.get(key) ?? new Map();
    work(of);
    if (of.size > 0) documents.set(key, of);
    else documents.delete(key);
  }

  return {
    of: (kind: Kind, id: string): ReadonlyMap<string, ReadonlyMap<Locale, unknown>> =>
      documents.get(key(kind, id)) ?? new Map(),
    /** Entries in their order. */
    follow({ kind, id, action, fields, back }: EntryWithWayBack): void {
      const place = key(kind, id);
      // New, or changed as a whole.
      if (fields === null) {
        documents.delete(place);
        return;
      }
      if (action === confirming) {
        change(place, (of) => confirm(of, new Set(fields.map(({ field }) => field))));
        return;
      }
      const moved = fields.find(({ field }) => field === 'id')?.to;
      if (typeof moved === 'string') {
        const of = documents.get(place);
        documents.delete(place);
        if (of) documents.set(key(kind, moved), of);
        return;
      }
      const touched = back
        ? back.flatMap(({ path, from, to }) => touchedTexts(path, to, from))
        : fields.flatMap(({ field, from, to }) => touchedTexts(field.split('.'), from, to));
      if (touched.length === 0) return;
      change(place, (of) => {
        for (const [field, texts] of Map.groupBy(touched, (each) => each.field)) followText(of, field, texts);
      });
    },
  };

  function followText(of: OfDocument, field: string, texts: readonly Touched[]): void {
    const source = texts.find(({ code }) => code === main);
    const stale = of.get(field) ?? new Map<Locale, unknown>();
    for (const code of localeCodes) {
      if (code === main) continue;
      if (texts.some((each) => each.code === code)) stale.delete(code);
      else if (source && !stale.has(code)) stale.set(code, source.before);
      else if (source && isEqual(stale.get(code), source.after)) stale.delete(code);
    }
    if (stale.size > 0) of.set(field, stale);
    else of.delete(field);
  }
}

function confirm(of: OfDocument, confirmed: ReadonlySet<string>): void {
  for (const [field, stale] of of) {
    for (const code of stale.keys())
      if (confirmed.has([...pathOf(field), code].join('.'))) stale.delete(code);
    if (stale.size === 0) of.delete(field);
  }
}

interface Touched {
  field: string;
  code: Locale;
  before: unknown;
  after: unknown;
}

/** The texts in one language that differ within a difference, wherever it begins. */
function touchedTexts(path: readonly string[], before: unknown, after: unknown): Touched[] {
  const code = path.at(-1);
  if (isLocale(code)) return [{ field: fieldOf(path.slice(0, -1)), code, before, after }];
  const [earlier, later] = [partsOf(before), partsOf(after)];
  return [...new Set([...earlier.keys(), ...later.keys()])].flatMap((name) => {
    const [was, is] = [earlier.get(name), later.get(name)];
    return isEqual(was, is) ? [] : touchedTexts([...path, name], was, is);
  });
}

/** Lists by what names their entries, or by their places. */
function partsOf(value: unknown): Map<string, unknown> {
  if (typeof value !== 'object' || value === null) return new Map();
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const names = entryNames(value);
  return new Map(value.map((entry, index) => [names?.[index] ?? String(index), entry]));
}
