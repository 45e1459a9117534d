/** Findings in words: one line for many that differ only in their place. */
import { problemText } from '#contract/problems.ts';
import type { StaffMessageKey, StaffTranslate } from '#contract/staff/messages.ts';
import type { Finding } from './checks.ts';

const subjects = {
  'image.lost': 'images',
  'image.missing': 'images',
  'video.missing': 'images',
  'text.missing': 'translations',
  'tax.store': 'taxes',
  'tax.shipping': 'taxes',
  'tax.twice': 'taxes',
  'tax.fraction': 'taxes',
  'tax.food': 'taxes',
  'tax.establishment': 'taxes',
  rule: 'rules',
  'menu.unknown': 'rules',
  'shipping.cheap': 'rules',
  'store.zone': 'rules',
  'zone.off': 'rules',
  'zone.unknown': 'rules',
  'zone.far': 'rules',
  'store.postCode': 'rules',
  'price.low': 'rules',
  'price.compare': 'rules',
  'stock.none': 'rules',
  'content.hidden': 'content',
  'link.nowhere': 'content',
  'payment.none': 'payment',
  'payment.shipping': 'payment',
  'office.address': 'office',
  'mail.none': 'email',
  'mail.sender': 'email',
} as const;

export type Subject = (typeof subjects)[keyof typeof subjects];

export const subjectOf = ({ key }: Finding): Subject | undefined => subjects[key as keyof typeof subjects];

const several: ReadonlySet<string> = new Set([
  ...['image.lost', 'image.missing', 'video.missing', 'text.missing', 'tax.store', 'tax.food'],
  ...['price.low', 'stock.none', 'link.nowhere'],
]);

export interface FindingLine {
  text: string;
  /** Those that it is about. */
  findings: readonly Finding[];
  /** Where, if there are several places. */
  places: readonly string[];
}

/** A line for each finding; one, with its places, for those that differ only in their place. */
export function findingLines(findings: readonly Finding[], t: StaffTranslate): FindingLine[] {
  const groups = Map.groupBy(findings, ({ key, problem, values: { where: _, ...others } }) =>
    JSON.stringify([key, problem, others]),
  );
  return [...groups.values()].flatMap((group): FindingLine[] => {
    const [{ key, values, problem } = { key: '', values: {} }] = group;
    if (problem) return [{ text: problemText(problem, t), findings: group, places: [] }];
    const sentence = (form: string, of: Finding['values']) => t(`doctor.${key}${form}` as StaffMessageKey, of);
    const places = [...new Set(group.map((each) => String(each.values.where ?? '')))];
    if (several.has(key) && places.length > 1)
      return [{ text: sentence('.many', { ...texts(values), count: places.length }), findings: group, places }];
    const bySentence = Map.groupBy(group, (each) => sentence('', texts(each.values)));
    return [...bySentence].map(([text, of]) => ({ text, findings: of, places: [] }));
  });
}

/** Numbers as a merchant types them, such as cents. */
function texts(values: Finding['values']): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
