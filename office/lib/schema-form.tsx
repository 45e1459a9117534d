/** The form of a document, drawn from its fields: a room draws only what needs a control of its own. */
import type { ReactNode } from 'react';
import type { FormField } from '#contract/staff/forms.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import type { EditedDocument, Path } from './document.tsx';
import { CheckOf, EntrySteps, ListOf, LocalTextOf, NumberOf, pair, TextOf, useEdited } from './document-form.tsx';
import { useLanguage } from './i18n.tsx';
import { MoneyOf } from './money.tsx';
import { PictureOf } from './picture-of.tsx';

export interface OwnControls {
  /** By the dotted path of a field, without the ids of entries: `deliveryZones.polygon`. */
  own?: Readonly<Record<string, (path: Path, field: FormField) => ReactNode>>;
  /** What stands at the end of a section. */
  after?: Partial<Record<StaffMessageKey, ReactNode>>;
  /** A new entry of a list, by its dotted path; `unique` is nowhere else. */
  entry?: Readonly<Record<string, (unique: string, form: EditedDocument) => { id: string }>>;
}

/** The sections, in the order of their first fields. */
export function SchemaForm({ fields, ...controls }: OwnControls & { fields: readonly FormField[] }) {
  const { t } = useLanguage();
  const sections = [...new Set(fields.map(({ section }) => section))];
  return sections.map((section) => (
    <FormSection key={section} title={t(section)}>
      <Fields fields={fields.filter((field) => field.section === section)} at={[]} {...controls} />
      {controls.after?.[section]}
    </FormSection>
  ));
}

interface FieldsProps extends OwnControls {
  fields: readonly FormField[];
  /** Of the document or entry that has them. */
  at: Path;
}

/** Short fields stand two in a row. */
const isShort = ({ control, long }: FormField) => !long && ['text', 'number', 'money'].includes(control);

function Fields({ fields, at, ...controls }: FieldsProps) {
  const rows: FormField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last?.[0] && isShort(last[0]) && isShort(field)) last.push(field);
    else rows.push([field]);
  }
  return rows.map((row) => {
    const drawn = row.map((field) => <Field key={field.path.join('.')} field={field} at={at} {...controls} />);
    return row[0] && isShort(row[0]) ? (
      <div key={row[0].path.join('.')} className={pair}>
        {drawn}
      </div>
    ) : (
      drawn
    );
  });
}

function Field({ field, at, ...controls }: Omit<FieldsProps, 'fields'> & { field: FormField }) {
  const { t } = useLanguage();
  const { control, nullable = false, long = false } = field;
  const path = [...at, ...field.path];
  // The list and the id of an entry come before its own fields.
  const place = [...at.filter((_, index) => index % 2 === 0), ...field.path].join('.');
  const words = { path, label: t(field.label), hint: field.hint && t(field.hint) };
  if (control === 'own') return controls.own?.[place]?.(path, field);
  if (control === 'entries') return <Entries field={field} path={path} {...controls} />;
  if (control === 'texts') return <LocalTextOf {...words} long={long} />;
  if (control === 'check') return <CheckOf {...words} />;
  if (control === 'list') return <ListOf {...words} />;
  if (control === 'picture') return <PictureOf {...words} />;
  const typed = { ...words, nullable };
  if (control === 'number') return <NumberOf {...typed} />;
  return control === 'money' ? <MoneyOf {...typed} /> : <TextOf {...typed} />;
}

/** The entries of a list, each with its fields, in an order that counts. */
function Entries({ field, path, ...controls }: OwnControls & { field: FormField; path: Path }) {
  const form = useEdited();
  const { t } = useLanguage();
  const list = path.join('.');
  const ids = ((form.valueAt(path) ?? []) as { id: string }[]).map(({ id }) => id);
  const add = () => {
    const entry = controls.entry?.[list]?.(crypto.randomUUID().slice(0, 8), form);
    if (entry) form.change([...path, entry.id], entry);
  };
  return (
    <>
      {field.hint && <p className="text-ink-soft">{t(field.hint)}</p>}
      {ids.map((id, index) => {
        const name = t(field.label, { number: index + 1 });
        return (
          <fieldset key={id} className="flex flex-col gap-5 rounded-md border border-line p-5">
            <legend className="px-2 font-semibold">{name}</legend>
            <Fields fields={field.fields ?? []} at={[...path, id]} {...controls} />
            <EntrySteps list={list} ids={ids} index={index} name={name} />
          </fieldset>
        );
      })}
      {field.add && <Button label={t(field.add)} variant="secondary" icon="plus" className="self-start" onClick={add} />}
    </>
  );
}
