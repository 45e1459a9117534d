/** Findings in words: one line for many that differ only in their place. */
import { problemText } from '#contract/problems.ts';
import type { StaffMessageKey, StaffTranslate } from '#contract/staff/messages.ts';
import type { Finding } from './checks.ts';

/** What costs money or customers stands first: in this order findings are shown. */
const subjects = {
  'data.unreadable': 'data',
  'money.hundredths': 'data',
  'payment.none': 'payment',
  'payment.shipping': 'payment',
  'payment.simulated': 'payment',
  'mail.none': 'email',
  'mail.sender': 'email',
  'mail.files': 'email',
  'connections.noKey': 'connections',
  'connections.otherKey': 'connections',
  'connections.broken': 'connections',
  'connections.openKey': 'connections',
  'tax.store': 'taxes',
  'tax.shipping': 'taxes',
  'tax.twice': 'taxes',
  'tax.fraction': 'taxes',
  'price.zero': 'rules',
  'price.low': 'rules',
  'shipping.cheap': 'rules',
  'tax.food': 'taxes',
  'tax.establishment': 'taxes',
  'tax.law': 'taxes',
  'tax.number': 'taxes',
  'tax.tables': 'taxes',
  'store.salesRecording': 'taxes',
  'stock.none': 'rules',
  rule: 'rules',
  'image.lost': 'images',
  'image.missing': 'images',
  'video.missing': 'images',
  'content.hidden': 'content',
  'link.nowhere': 'content',
  'price.compare': 'rules',
  'zone.off': 'rules',
  'zone.unknown': 'rules',
  'zone.far': 'rules',
  'store.zone': 'rules',
  'store.postCode': 'rules',
  'menu.unknown': 'rules',
  'text.missing': 'translations',
  'office.address': 'office',
} as const;

export type Subject = (typeof subjects)[keyof typeof subjects];

export const subjectOf = ({ key }: Finding): Subject | undefined => subjects[key as keyof typeof subjects];

const ranks = new Map(Object.keys(subjects).map((key, rank) => [key, rank]));

/** Those that fail first, and of them what costs most. */
export const byWeight = (a: Finding, b: Finding): number =>
  a.level.localeCompare(b.level) || (ranks.get(a.key) ?? ranks.size) - (ranks.get(b.key) ?? ranks.size);

const several: ReadonlySet<string> = new Set([
  'image.lost',
  'image.missing',
  'video.missing',
  'text.missing',
  'tax.store',
  'tax.shipping',
  'tax.food',
  'data.unreadable',
  'price.zero',
  'price.low',
  'stock.none',
  'link.nowhere',
]);
/** Of these, what differs besides the place is one of the places. */
const placeOf: Readonly<Record<string, string>> = { 'tax.shipping': 'province' };

export const placeIn = ({ key, values }: Finding): string => String(values[placeOf[key] ?? 'where'] ?? '');

export interface FindingLine {
  text: string;
  /** Those that it is about. */
  findings: readonly Finding[];
  /** Where, if there are several places. */
  places: readonly string[];
}

/** A line for each finding; one, with its places, for those that differ only in their place. */
export function findingLines(findings: readonly Finding[], t: StaffTranslate): FindingLine[] {
  const groups = Map.groupBy(findings, ({ key, problem, values }) =>
    JSON.stringify([key, problem, { ...values, where: '', [placeOf[key] ?? 'where']: '' }]),
  );
  return [...groups.values()].flatMap((group): FindingLine[] => {
    const [{ key, values, problem } = { key: '', values: {} }] = group;
    if (problem) return [{ text: problemText(problem, t), findings: group, places: [] }];
    const sentence = (form: string, of: Finding['values']) =>
      t(`doctor.${key}${form}` as StaffMessageKey, of);
    const places = [...new Set(group.map(placeIn))];
    if (several.has(key) && places.length > 1)
      return [
        { text: sentence('.many', { ...texts(values), count: places.length }), findings: group, places },
      ];
    const bySentence = Map.groupBy(group, (each) => sentence('', texts(each.values)));
    return [...bySentence].map(([text, of]) => ({ text, findings: of, places: [] }));
  });
}

/** Numbers as a merchant types them, such as cents. */
function texts(values: Finding['values']): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
