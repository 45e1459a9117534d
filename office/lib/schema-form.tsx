/** The form of a document, drawn from its fields: a room draws only what needs a control of its own. */
import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { edited, isEqual, valueAt } from '#contract/rules/patch.ts';
import type { FormField } from '#contract/staff/forms.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import type { SelectOption } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import type { EditedDocument, Path } from './document.tsx';
import {
  CheckOf,
  ChecksOf,
  EditedContext,
  EntrySteps,
  ListOf,
  LocalTextOf,
  Mover,
  NumberOf,
  pair,
  SelectOf,
  TextOf,
  useEdited,
} from './document-form.tsx';
import { Grip, useDragging } from './dragging.tsx';
import { useLanguage } from './i18n.tsx';
import { LinkOf } from './link-of.tsx';
import { MoneyOf } from './money.tsx';
import { PictureOf } from './picture-of.tsx';
import { ProductsOf } from './products-of.tsx';
import { RichTextsOf } from './rich-texts-of.tsx';
import { TimeOf } from './time-of.tsx';

export interface OwnControls {
  /** By the dotted path of a field, without the ids of entries: `deliveryZones.polygon`. */
  own?: Readonly<Record<string, (path: Path, field: FormField) => ReactNode>>;
  /** What can be chosen of what has names, by the dotted path of a field. */
  choices?: Readonly<Record<string, readonly SelectOption[]>>;
  /** Of the products that the document names. */
  products?: readonly { name: string; nameContent: LocalText }[];
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
const isShort = ({ control, long }: FormField) =>
  !long && ['text', 'number', 'money', 'time', 'choice'].includes(control);

export function Fields({ fields, at, ...controls }: FieldsProps) {
  const rows: FormField[][] = [];
  for (const field of fields) {
    const last = rows.at(-1);
    if (last?.[0] && isShort(last[0]) && isShort(field)) last.push(field);
    else rows.push([field]);
  }
  return rows.map((row) => {
    const drawn = row.map((field) => (
      <Field key={field.path.join('.')} field={field} at={at} {...controls} />
    ));
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
  const { control, nullable = false, optional = false, long = false } = field;
  const path = [...at, ...field.path];
  // The list and the id of an entry come before its own fields.
  const place = [...at.filter((_, index) => index % 2 === 0), ...field.path].join('.');
  const words = { path, label: t(field.label), hint: field.hint && t(field.hint) };
  const without = nullable ? 'null' : optional ? 'nothing' : undefined;
  if (control === 'own') {
    const draw = controls.own?.[place];
    if (!draw) throw new Error(`No control for ${place}`);
    return draw(path, field);
  }
  if (control === 'unique') return null;
  if (control === 'entries') return <Entries field={field} path={path} {...controls} />;
  if (control === 'rows') return <Rows field={field} path={path} {...controls} />;
  if (control === 'texts') return <LocalTextOf {...words} long={long} without={without} />;
  if (control === 'richText') return <RichTextsOf {...words} without={without} />;
  if (control === 'check') return <CheckOf {...words} />;
  if (control === 'list') return <ListOf {...words} />;
  if (control === 'link') return <LinkOf {...words} />;
  if (control === 'picture')
    return <PictureOf {...words} none={nullable ? null : optional ? undefined : ''} />;
  if (control === 'time') return <TimeOf {...words} />;
  if (control === 'products') return <ProductsOf {...words} names={controls.products ?? []} />;
  const named = controls.choices?.[place] ?? [];
  const none = field.none && { placeholder: t(field.none) };
  if (control === 'named') return <SelectOf {...words} {...none} options={named} nullable={nullable} />;
  if (control === 'namedList') return <ChecksOf {...words} options={named} />;
  if (control === 'choice') {
    const options = (field.options ?? []).map(({ value, label }) => ({ value, label: t(label) }));
    return (
      <SelectOf
        {...words}
        {...none}
        {...{ options, nullable }}
        usual={field.usual ?? (none ? '' : (options[0]?.value ?? ''))}
      />
    );
  }
  const typed = { ...words, nullable, isOptional: optional };
  if (control === 'number') return <NumberOf {...typed} />;
  return control === 'money' ? <MoneyOf {...typed} /> : <TextOf {...words} nullable={nullable} />;
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
      {field.add && (
        <Button label={t(field.add)} variant="secondary" icon="plus" className="self-start" onClick={add} />
      )}
    </>
  );
}

/** An entry of a list that nothing names: a change of it is one of the whole list. */
export function rowOf(
  form: EditedDocument,
  latest: { current: EditedDocument },
  list: Path,
  index: number,
): EditedDocument {
  const inside = (path: Path) => path.slice(list.length + 1);
  return {
    ...form,
    valueAt: (path) => valueAt(((form.valueAt(list) ?? []) as unknown[])[index], inside(path)),
    change(path, to) {
      const rows = (latest.current.valueAt(list) ?? []) as unknown[];
      form.change(list, rows.with(index, edited(rows[index], [{ path: inside(path), to }])));
    },
  };
}

/** The entries of a list that only their places name. */
function Rows({ field, path, ...controls }: OwnControls & { field: FormField; path: Path }) {
  const form = useEdited();
  const { t } = useLanguage();
  // A picture that is uploaded comes later than what is typed meanwhile.
  const latest = useRef(form);
  useLayoutEffect(() => {
    latest.current = form;
  });
  const rows = (form.valueAt(path) ?? []) as unknown[];
  const fields = field.fields ?? [];
  const isText = fields[0]?.path.length === 0;
  const error = form.errorAt(path, t(field.label, { number: '' }).trim());
  /** It comes back as long as the rest is as it left it. */
  const [removed, setRemoved] = useState<{
    row: unknown;
    index: number;
    name: string;
    left: unknown[];
  } | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const drag = useDragging(list, (from, to) => move(from, to));
  const move = (index: number, to: number) => {
    if (to >= 0 && to < rows.length && to !== index)
      form.change(path, rows.toSpliced(index, 1).toSpliced(to, 0, rows[index]));
  };
  const onKeyDown = (index: number) => (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : null;
    // In a text of several lines and in rows within this one they are theirs.
    if (!event.altKey || by === null || event.defaultPrevented) return;
    event.preventDefault();
    move(index, index + by);
    const name = event.target instanceof HTMLInputElement ? event.target.name : '';
    const at = [...path, String(index)].join('.');
    const moved = [...path, String(index + by)].join('.') + name.slice(at.length);
    // The focus goes with the row: the places keep their elements, and the rows change theirs.
    if (name.startsWith(at))
      requestAnimationFrame(() =>
        list.current?.querySelector<HTMLElement>(`[name="${CSS.escape(moved)}"]`)?.focus(),
      );
  };
  const remove = (index: number, name: string) => {
    const left = rows.toSpliced(index, 1);
    setRemoved({ row: rows[index], index, name, left });
    form.change(path, left);
  };
  const undoRemove = () => {
    if (!removed) return;
    form.change(path, rows.toSpliced(removed.index, 0, removed.row));
    setRemoved(null);
  };
  return (
    <>
      {field.hint && <p className="text-ink-soft">{t(field.hint)}</p>}
      {error && <p className="font-medium text-clay text-sm">{error}</p>}
      <ul ref={list} className="flex flex-col gap-5 empty:hidden">
        {rows.map((_, index) => {
          const name = t(field.label, { number: index + 1 });
          const at = [...path, String(index)];
          const steps = (
            <div className="flex flex-wrap items-center gap-3">
              {rows.length > 1 && <Grip {...drag.gripOf(index)} />}
              <Mover index={index} count={rows.length} name={name} onMove={(to) => move(index, to)} />
              <Button
                label={t('office.remove')}
                variant="secondary"
                size="small"
                aria-label={`${t('office.remove')}: ${name}`}
                onClick={() => remove(index, name)}
              />
            </div>
          );
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing else names them
            <li key={index} {...drag.entryOf(index, rows.length)} onKeyDown={onKeyDown(index)}>
              <EditedContext value={rowOf(form, latest, path, index)}>
                {isText ? (
                  <div className="flex flex-col gap-3">
                    <LocalTextOf path={at} label={name} long />
                    {steps}
                  </div>
                ) : (
                  <fieldset className="flex min-w-0 flex-col gap-5 rounded-md border border-line p-5">
                    <legend className="px-2 font-semibold">{name}</legend>
                    <Fields fields={fields} at={at} {...controls} />
                    {steps}
                  </fieldset>
                )}
              </EditedContext>
            </li>
          );
        })}
      </ul>
      {removed && isEqual(removed.left, rows) && (
        <Notice title={t('office.page.removed', { name: removed.name })} onClose={() => setRemoved(null)}>
          <Button
            label={t('office.page.undoRemove')}
            variant="secondary"
            size="small"
            className="mt-2"
            onClick={undoRemove}
          />
        </Notice>
      )}
      {field.add && (
        <Button
          label={t(field.add)}
          variant="secondary"
          size="small"
          icon="plus"
          className="self-start"
          onClick={() => form.change(path, [...rows, isText ? { [mainLocale()]: '' } : freshOf(fields)])}
        />
      )}
    </>
  );
}

/** A new entry, with the least that its fields allow. */
export function freshOf(fields: readonly FormField[]): Record<string, unknown> {
  const edits = fields
    .filter(({ optional }) => !optional)
    .map((field) => ({ path: field.path, to: freshValue(field) }));
  return edited({}, edits);
}

function freshValue({ control, nullable, options, initial }: FormField): unknown {
  if (nullable) return null;
  if (control === 'unique') return `field-${crypto.randomUUID().slice(0, 8)}`;
  if (initial !== undefined) return initial;
  if (control === 'texts' || control === 'richText') return { [mainLocale()]: '' };
  if (control === 'check') return false;
  if (control === 'choice') return options?.[0]?.value;
  if (control === 'rows' || control === 'entries' || control === 'list') return [];
  return control === 'number' || control === 'money' ? 0 : '';
}
