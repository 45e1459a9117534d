/** What the journal calls a field that was changed. */
import { isLocale } from '#contract/locales.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import { fieldText, type Kind, type StaffTranslate } from '#contract/staff/messages.ts';
import { labelIn } from '../../lib/i18n.tsx';

const fieldsOf: Partial<Record<Kind, readonly FormField[]>> = forms;
/** Their labels number the entries. */
const lists: readonly FormField['control'][] = ['entries', 'rows', 'own'];

/** As the journal names it, else as the form of the thing does: `title.en` is the English title. */
export function fieldName(kind: Kind, field: string, t: StaffTranslate): string {
  const own = fieldText(t, field);
  if (own !== field) return own;
  const named = fieldsOf[kind]?.find(({ path, control }) => {
    const at = path.join('.');
    return !lists.includes(control) && (field === at || field.startsWith(`${at}.`));
  });
  if (!named) return field;
  const language = field.slice(named.path.join('.').length + 1);
  return isLocale(language) ? labelIn(language, t(named.label)) : t(named.label);
}
