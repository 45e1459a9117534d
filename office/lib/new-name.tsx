/** The name of a new thing: in the language of the shop, and in the one of the person who adds it, if the shop has that as well. */
import { isOffered, type Locale, type LocalText, locales, mainLocale } from '#contract/locales.ts';
import { TextField, type TextFieldProps } from '#ui/inputs.tsx';
import { useLanguage } from './i18n.tsx';

/** The fields of a form; `own` stays empty where there is one language to write. */
export const noName = { name: '', 'name.own': '' };
type Typed = typeof noName;

/** A name that was typed by somebody who reads `locale`. */
export function newName({ name, 'name.own': own }: Typed, locale: Locale): LocalText {
  return { [mainLocale()]: name, ...(asksOwn(locale) && own.trim() !== '' ? { [locale]: own } : {}) };
}

const asksOwn = (locale: Locale): boolean => locale !== mainLocale() && isOffered(locale);

export function NameFields({
  form,
  label,
}: {
  form: { field: (name: keyof Typed) => Omit<TextFieldProps, 'label'> };
  label: string;
}) {
  const { locale } = useLanguage();
  const main = mainLocale();
  if (!asksOwn(locale))
    return <TextField {...form.field('name')} label={label} autoComplete="off" required />;
  return (
    <>
      <TextField
        {...form.field('name')}
        label={`${label} (${locales[main].name})`}
        lang={locales[main].tag}
        autoComplete="off"
        required
      />
      <TextField
        {...form.field('name.own')}
        label={`${label} (${locales[locale].name})`}
        lang={locales[locale].tag}
        autoComplete="off"
      />
    </>
  );
}
