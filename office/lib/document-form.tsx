/** The frame and the fields of a form that edits a document. */
import { type ComponentProps, type ReactNode, useState } from 'react';
import { inLocale, type LocalText, localeCodes, locales } from '#contract/locales.ts';
import type { Conflict } from '#contract/rules/patch.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, TextArea, TextField, type TextFieldProps } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import type { EditedDocument, OpenDocument, Path } from './document.tsx';
import { useLanguage } from './i18n.tsx';

/** With `aside`, what a sample order would be offered stands beside the form, or below it. */
export function DocumentForm({ document, aside, children }: { document: OpenDocument; aside?: ReactNode; children: ReactNode }) {
  const { t } = useLanguage();
  const shared = useT();
  const { edits, conflicts, told, error, saving } = document;
  const others = document.otherProblems();
  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (!saving) document.save();
      }}
    >
      {told.length > 0 && (
        <Notice title={t('office.document.told', { fields: [...new Set(told.map(document.labelOf))].join(', ') })} />
      )}
      <div className="grid gap-10 wide:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="flex min-w-0 flex-col gap-10">{children}</div>
        {aside && <aside className="h-fit rounded-md bg-surface-inset p-5 wide:sticky wide:top-6">{aside}</aside>}
      </div>
      <div className="sticky bottom-0 z-10 flex flex-col gap-3 border-line border-t bg-paper py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        {error && <Notice tone="bad" title={others[0] ?? errorText(error, shared)} />}
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" busy={saving} disabled={edits.length === 0}>
            {t('office.save')}
          </Button>
          {edits.length > 0 && (
            <Button variant="secondary" onClick={document.discard}>
              {t('office.document.discard')}
            </Button>
          )}
          <p role="status" className="text-ink-soft text-sm">
            {edits.length > 0 && t('office.document.unsaved', { count: edits.length })}
            {document.saved && t('office.document.saved')}
          </p>
        </div>
      </div>
      {conflicts.length > 0 && <MineOrTheirs key={conflicts.map(({ path }) => path).join()} document={document} />}
    </form>
  );
}

function MineOrTheirs({ document: { conflicts, labelOf, resolve } }: { document: OpenDocument }) {
  const { t, locale } = useLanguage();
  const [mine, setMine] = useState<readonly boolean[]>(() => conflicts.map(() => true));
  const cards = ({ mine: own, theirs }: Conflict) => [
    { value: 'mine' as const, title: t('office.document.mine'), note: valueText(own, locale) },
    { value: 'theirs' as const, title: t('office.document.theirs'), note: valueText(theirs, locale) },
  ];
  return (
    // Closing asks again with the next change of either: nothing is decided by it.
    <Dialog open onClose={() => undefined} role="alertdialog" title={t('office.document.bothTitle')}>
      <p>{t('office.document.both')}</p>
      {conflicts.map((each, index) => (
        <RadioCards
          key={each.path.join('.')}
          legend={labelOf(each.path)}
          options={cards(each)}
          value={mine[index] ? 'mine' : 'theirs'}
          onChange={(value) => setMine(mine.with(index, value === 'mine'))}
        />
      ))}
      <Button onClick={() => resolve(conflicts.filter((_, index) => mine[index]))}>{t('office.document.take')}</Button>
    </Dialog>
  );
}

function valueText(value: unknown, locale: keyof typeof locales): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value !== 'object') return value === true ? '✓' : value === false ? '✗' : String(value);
  if ('open' in value && 'close' in value) return `${value.open}–${value.close}`;
  if ('name' in value && typeof value.name === 'object') return inLocale(value.name as LocalText, locale);
  return Array.isArray(value) && value.every((each) => typeof each !== 'object') ? value.join(', ') : JSON.stringify(value);
}

interface FieldOf extends Omit<TextFieldProps, 'value' | 'onChange' | 'error' | 'label' | 'form'> {
  form: EditedDocument;
  path: Path;
  label: string;
}

export function TextOf({ form, path, label, ...rest }: FieldOf) {
  return (
    <TextField
      {...rest}
      label={label}
      name={path.join('.')}
      autoComplete="off"
      value={String(form.valueAt(path) ?? '')}
      error={form.errorAt(path, label)}
      onChange={({ target }) => form.change(path, target.value)}
    />
  );
}

/** A field for each language of the shop, beside each other. */
export function LocalTextOf({ form, path, label, long = false }: FieldOf & { long?: boolean }) {
  const Control = (long ? TextArea : TextField) as (props: TextFieldProps) => ReactNode;
  return (
    <div className="grid gap-5 product:grid-cols-2">
      {localeCodes.map((code) => {
        const at = [...path, code];
        const named = `${label} (${locales[code].name})`;
        const value = form.valueAt(at);
        return (
          <Control
            key={code}
            label={named}
            name={at.join('.')}
            lang={locales[code].tag}
            autoComplete="off"
            value={String(value ?? '')}
            error={form.errorAt(at, named) ?? form.errorAt(path, label)}
            // A language that had no text has none again.
            onChange={({ target }) => form.change(at, target.value === '' && code !== localeCodes[0] ? undefined : target.value)}
          />
        );
      })}
    </div>
  );
}

/** A number of `unit`s: with 100, an amount of money in cents. What is no number is kept for the server to refuse. */
export function NumberOf({
  form,
  path,
  label,
  unit = 1,
  nullable = false,
  ...rest
}: FieldOf & { unit?: number; nullable?: boolean }) {
  const value = form.valueAt(path);
  const [typed, setTyped] = useState('');
  const parsed = (text: string) => {
    const number = Number(text.trim().replace(',', '.'));
    if (text.trim() === '') return nullable ? null : '';
    return Number.isFinite(number) ? Math.round(number * unit * 1000) / 1000 : text;
  };
  const printed =
    typeof value === 'number' ? (unit === 100 ? (value / unit).toFixed(2) : String(value / unit)) : String(value ?? '');
  return (
    <TextField
      {...rest}
      label={label}
      name={path.join('.')}
      inputMode="decimal"
      autoComplete="off"
      value={parsed(typed) === value ? typed : printed}
      error={form.errorAt(path, label)}
      onChange={({ target }) => {
        setTyped(target.value);
        form.change(path, parsed(target.value));
      }}
    />
  );
}

type CheckOfProps = Omit<ComponentProps<typeof Checkbox>, 'form' | 'checked' | 'onChange' | 'label'> &
  Pick<FieldOf, 'form' | 'path' | 'label'>;

export function CheckOf({ form, path, label, ...rest }: CheckOfProps) {
  return (
    <Checkbox
      {...rest}
      className="min-h-11 justify-center"
      label={label}
      checked={form.valueAt(path) === true}
      error={form.errorAt(path, label)}
      onChange={({ target }) => form.change(path, target.checked)}
    />
  );
}
