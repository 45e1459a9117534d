/** What is wrong with a merchant's data: an office shows it at its field, the commands print it. */
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
}

export function problem(path: readonly string[], key: ProblemKey, values: MessageValues = {}): Problem {
  return { path, key, values };
}

const longestShown = 60;

/** JSON, shortened. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

/** By dotted path, for forms: the first of each field, as a sentence of its own. */
export function problemsByField(problems: readonly Problem[], t: StaffTranslate): Record<string, string> {
  const said = problems.map((each) => {
    const sentence = problemSentence(each, t);
    return [each.path.join('.'), sentence.charAt(0).toUpperCase() + sentence.slice(1)];
  });
  return Object.fromEntries(said.toReversed());
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
  if (first === 'rows' && id !== undefined) return t('place.row', { line: id, column: fields.join('/'), problem: sentence });
  const part = parts.find((each) => each === first);
  // An entry without a name is found by its position.
  if (!part || id === undefined || /^\d+$/.test(id)) return t('place.path', { field: path.join('/'), problem: sentence });
  const entry = t(`part.${part}`, { id });
  return fields.length === 0
    ? t('place.entry', { entry, problem: sentence })
    : t('place.field', { entry, field: fields.join('/'), problem: sentence });
}
