/** How the lines of the table of accounts are called: `Money: Cash`, `HST 13%`. */
import type { BookLine } from './handover.ts';
import { type StaffTranslate, wayText } from './messages.ts';

export function bookLineText(t: StaffTranslate, { account, way, tax, treatment }: Omit<BookLine, 'key'>): string {
  if (tax !== '') return tax;
  const name = t(`office.files.account.${account}`);
  if (way !== '') return `${name}: ${wayText(t, way)}`;
  // Written from the treatments of a `TaxedPart`.
  return treatment === '' ? name : `${name}: ${t(`office.files.treatment.${treatment as 'zeroRated'}`)}`;
}
