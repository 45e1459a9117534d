/** What a trial says: the things that would change, in the words of the journal. */
import { formatMoney } from '#contract/formatters.ts';
import type { Locale } from '#contract/locales.ts';
import {
  didText,
  fieldText,
  isStaffKey,
  type StaffMessageKey,
  type StaffTranslate,
  staffTranslate,
  valueText,
} from '#contract/staff/messages.ts';
import { keptFields } from '#server/modules/changes/index.ts';
import type { Foreseen } from '#server/platform/trials.ts';

/** Said one by one. */
const mostLines = 40;

/** How many things of each kind change, and how many in all. */
export function countsOf(foreseen: readonly Foreseen[], more: number) {
  const things = new Set(foreseen.map(({ kind, id }) => `${kind} ${id}`));
  const kinds = new Map<string, number>();
  for (const thing of things) {
    const [kind = ''] = thing.split(' ', 1);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  return { touches: things.size + more, kinds: Object.fromEntries(kinds) };
}

export function linesOf(
  foreseen: readonly Foreseen[],
  { more, locale, currency }: { more: number; locale: Locale; currency: string },
): string[] {
  const t = staffTranslate(locale);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const lines = foreseen.slice(0, mostLines).map((each) => lineOf(each, t, money));
  const rest = foreseen.length - lines.length + more;
  return rest > 0 ? [...lines, t('staff.trial.more', { count: rest })] : lines;
}

function lineOf(
  { action, kind, id, fields, beyond = [] }: Foreseen,
  t: StaffTranslate,
  money: (cents: number) => string,
): string {
  const kindKey = `kind.${kind}`;
  const thing = `${isStaffKey(kindKey) ? t(kindKey) : kind} ${id}`.trim();
  const said = fields === null ? [] : keptFields(fields).map((change) => changeText(change, t, money));
  const others = beyond.map(({ key, values }) => t(key as StaffMessageKey, values));
  return [`${didText(t, action)} · ${thing}`, ...said, ...others].join('; ');
}

function changeText(
  { field, ...values }: { field: string; from?: unknown; to?: unknown },
  t: StaffTranslate,
  money: (cents: number) => string,
): string {
  const name = fieldText(t, field);
  const text = (value: unknown) =>
    typeof value !== 'number'
      ? valueText(t, field, value, money)
      : /Cents$/.test(field)
        ? money(value)
        : /(?:At|Until)$/.test(field)
          ? new Date(value).toISOString()
          : valueText(t, field, value, money);
  return 'from' in values || 'to' in values
    ? t('journal.field', { field: name, from: text(values.from), to: text(values.to) })
    : t('journal.fieldUnkept', { field: name });
}
