/** What the journal calls a field that was changed. */
import { isLocale } from '#contract/locales.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import { fieldText, type Kind, type StaffMessageKey, type StaffTranslate } from '#contract/staff/messages.ts';
import { labelIn } from '../../lib/i18n.tsx';

const fieldsOf: Partial<Record<Kind, readonly FormField[]>> = forms;
/** Their labels number the entries. */
const lists: readonly FormField['control'][] = ['entries', 'rows', 'own'];

/** Of the rooms Shop and Taxes, whose forms no schema draws. */
const settings: Readonly<Record<string, StaffMessageKey>> = {
  shopName: 'office.shop.shopName',
  tagline: 'office.shop.tagline',
  contactEmail: 'office.shop.email',
  securityContact: 'office.shop.security',
  languages: 'office.shop.languages',
  currency: 'office.shop.currency',
  orderNumberPrefix: 'office.shop.prefix',
  footer: 'office.shop.foot',
  newOrderEmails: 'office.shop.newOrders',
  newsletterTicked: 'office.shop.newsletter',
  taxRates: 'office.money.taxes',
  salesRecording: 'office.money.salesRecording',
  checkoutConfig: 'office.money.checkout',
  paymentConfig: 'office.money.payment',
  reservationHours: 'office.money.reservation',
  tipPercentages: 'office.money.tipPercentages',
  serviceCharge: 'office.money.charge',
};

/** Whether its numbers are times, epoch ms. A shared draft is a link that is open until one. */
export const isTime = (kind: Kind, field: string): boolean =>
  /At$/.test(field) || (field === 'links' && kind !== 'navigation');

/** As the journal names it, else as the form of the thing does: `title.en` is the English title. */
export function fieldName(kind: Kind, field: string, t: StaffTranslate): string {
  if (field === 'links' && kind !== 'navigation') return t('journal.name.draftLink');
  const own = fieldText(t, field);
  if (own !== field) return own;
  const named = fieldsOf[kind]?.find(({ path, control }) => {
    const at = path.join('.');
    return !lists.includes(control) && (field === at || field.startsWith(`${at}.`));
  });
  const setting = kind === 'setting' ? settings[field.split('.')[0] ?? ''] : undefined;
  if (setting) {
    const last = field.split('.').at(-1) ?? '';
    return isLocale(last) ? labelIn(last, t(setting)) : t(setting);
  }
  if (!named) return field;
  const language = field.slice(named.path.join('.').length + 1);
  return isLocale(language) ? labelIn(language, t(named.label)) : t(named.label);
}
