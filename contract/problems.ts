/** What is wrong with a merchant's data: an office shows it at its field, the commands print it. */
import { smallestInUnit } from './money.ts';
import type { StaffMessageKey, StaffTranslate } from './staff/messages.ts';
import type { MessageValues } from './translate.ts';

export type ProblemKey = Extract<StaffMessageKey, `problem.${string}`>;

export interface Problem {
  /** `['products', 'river-mug', 'skus', 'RM-INK', 'priceCents']`: entries by id, else by position. Empty for a whole file. */
  path: readonly string[];
  /** Follows the name of the place: `must be a whole number`. */
  key: ProblemKey;
  /** `kind` is a kind of the staff's messages. `found`, `allowed` and `similar` are added to every message. */
  values: MessageValues;
  /** Of a field that people write in another unit than it is kept in: `limit` is in that which is kept. */
  unit?: Unit;
  /** What was found, if it is a text or a number; in `found` it is JSON. */
  value?: string | number;
}

export function problem(path: readonly string[], key: ProblemKey, values: MessageValues = {}): Problem {
  return { path, key, values };
}

/** Units in which numbers are kept. Schemas name them by the keyword `unit`. */
export type Unit = 'cents' | 'basisPoints' | 'milliPercent' | 'epochMs';

/** How many of them make one of what a person writes: the unit of the shop's currency, or a percent. Times are written as such. */
const perWritten: Readonly<Record<Unit, () => number | null>> = {
  cents: smallestInUnit,
  basisPoints: () => 100,
  milliPercent: () => 1000,
  epochMs: () => null,
};

/** A limit in what a person writes; null if the kind of field says more than its limits do. */
export function writtenLimit(limit: number, unit: Unit | undefined): number | null {
  const per = unit === undefined ? 1 : perWritten[unit]();
  return per === null ? null : limit / per;
}

const longestShown = 60;

const shortened = (text: string) => (text.length > longestShown ? `${text.slice(0, longestShown)}…` : text);

/** JSON, shortened. */
export function shown(value: unknown): string {
  return shortened(JSON.stringify(value) ?? 'nothing');
}

/** By dotted path, for forms: the first of each field, as a sentence of its own. */
export function problemsByField(problems: readonly Problem[], t: StaffTranslate): Record<string, string> {
  const said = problems.map((each) => [
    each.path.join('.'),
    capitalised(problemSentence(asWritten(each), t)),
  ]);
  return Object.fromEntries(said.toReversed());
}

export const capitalised = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** For whoever typed the value into a form: in the unit of the field, and without what only a file can hold. */
function asWritten({
  path,
  key,
  values: { found, limit, options, ...values },
  unit,
  value,
}: Problem): Problem {
  const most = limit === undefined ? null : writtenLimit(Number(limit), unit);
  const written = typeof value === 'number' ? writtenLimit(value, unit) : value && `“${shortened(value)}”`;
  return {
    path,
    key: writtenKey(key, unit, value),
    values: {
      ...values,
      ...(most === null ? {} : { limit: most }),
      ...(written === null || written === undefined || written === '' ? {} : { found: written }),
    },
  };
}

/** A field that is empty is missing, or stands for null; a choice stands for the text that is kept. */
function writtenKey(key: ProblemKey, unit: Unit | undefined, value: Problem['value']): ProblemKey {
  if (key === 'problem.oneOf') return 'problem.choice';
  const isOfType = key.startsWith('problem.type.');
  if (isOfType && value === '') return 'problem.required';
  if (unit !== undefined && (isOfType || perWritten[unit]() === null)) return `problem.unit.${unit}`;
  return key.replace(/\.orNull$/, '') as ProblemKey;
}

/** As JSON, for `allowed` and other lists in a problem. */
export function listed(values: Iterable<unknown>): string {
  return Array.from(values, shown).join(', ') || '–';
}

/** Without the place: `must be a whole number, found 12.5`. */
function problemSentence({ key, values }: Pick<Problem, 'key' | 'values'>, t: StaffTranslate): string {
  const { kind } = values;
  const details = (['found', 'allowed', 'similar'] as const).filter((name) => values[name] !== undefined);
  return [
    t(key, kind === undefined ? values : { ...values, kind: t(`kind.${kind}` as StaffMessageKey) }),
    ...details.map((name) => t(`detail.${name}`, values)),
  ].join('');
}

/** Of merchants' files: their entries have a name for people. */
const parts = [
  'brands',
  'categories',
  'gallery',
  'modifierGroups',
  'pages',
  'posts',
  'products',
  'stock',
  'stores',
  'tags',
] as const;

/** The place first: `product river-mug: /priceCents must be a whole number, found 12.5`. */
export function problemText({ path, ...what }: Problem, t: StaffTranslate): string {
  const sentence = problemSentence(what, t);
  const [first, id, ...fields] = path;
  if (first === undefined) return t('place.file', { problem: sentence });
  if (first === 'settings' && id !== undefined)
    return t('place.setting', { field: [id, ...fields].join('/'), problem: sentence });
  if (first === 'rows' && id !== undefined)
    return t('place.row', { line: id, column: fields.join('/'), problem: sentence });
  const part = parts.find((each) => each === first);
  // An entry without a name is found by its position.
  if (!part || id === undefined || /^\d+$/.test(id))
    return t('place.path', { field: path.join('/'), problem: sentence });
  const entry = t(`part.${part}`, { id });
  return fields.length === 0
    ? t('place.entry', { entry, problem: sentence })
    : t('place.field', { entry, field: fields.join('/'), problem: sentence });
}
