/** The frame and the fields of a form that edits a document. */
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { type Locale, localeCodes, locales, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { Conflict } from '#contract/rules/patch.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { cx } from '#ui/cx.ts';
import { Dialog } from '#ui/dialog.tsx';
import { errorText, fieldErrorsOf } from '#ui/errors.ts';
import { FieldError, focusFirstInvalid } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import {
  Checkbox,
  Select,
  type SelectOption,
  TextArea,
  TextField,
  type TextFieldProps,
} from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import type { EditedDocument, OpenDocument, Path } from './document.tsx';
import { writtenClock, writtenNumber } from './field-words.ts';
import { labelIn, useLanguage } from './i18n.tsx';

export const EditedContext = createContext<EditedDocument | null>(null);

/** The document whose form is around. */
export function useEdited(): EditedDocument {
  const edited = useContext(EditedContext);
  if (!edited) throw new Error('useEdited outside of DocumentForm');
  return edited;
}

interface DocumentFormProps {
  document: OpenDocument;
  aside?: ReactNode;
  above?: ReactNode;
  /** What stands beside is wider than a few lines of text. */
  isWide?: boolean;
  /** In place of "Save". */
  saveLabel?: string;
  /** What else is done with the document, beside saving. */
  actions?: ReactNode;
  children: ReactNode;
}

const asideWidths = {
  usual: 'wide:grid-cols-[minmax(0,1fr)_20rem]',
  wide: 'wide:grid-cols-[minmax(0,1fr)_25rem]',
} as const;

/** With `aside`, what a sample order would be offered stands beside the form, or below it. */
export function DocumentForm({
  document,
  aside,
  above,
  isWide = false,
  saveLabel,
  actions,
  children,
}: DocumentFormProps) {
  const { t } = useLanguage();
  const shared = useT();
  const { edits, conflicts, told, error, saving } = document;
  const others = document.otherProblems();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) focusFirstInvalid(form.current);
  }, [error]);
  const marksFields = others.length === 0 && Object.keys(fieldErrorsOf(error)).length > 0;
  return (
    <form
      ref={form}
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        // A dialog of a field may have a form of its own.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (!saving) document.save();
      }}
      onKeyDown={(event) => {
        const key = event.key.toLowerCase();
        if (
          event.defaultPrevented ||
          event.altKey ||
          !(event.ctrlKey || event.metaKey) ||
          (key !== 'z' && key !== 'y')
        )
          return;
        event.preventDefault();
        (key === 'y' || event.shiftKey ? document.redo : document.undo)?.();
      }}
    >
      {told.length > 0 && (
        <Notice
          title={t('office.document.told', {
            fields: [...new Set(told.map(document.labelOf))].join(t('office.listSeparator')),
          })}
        />
      )}
      <EditedContext value={document.form}>
        {above}
        <div className={cx('grid grid-cols-[minmax(0,1fr)] gap-10', asideWidths[isWide ? 'wide' : 'usual'])}>
          <div className="flex min-w-0 flex-col gap-10">{children}</div>
          {aside && (
            <aside className="h-fit rounded-md bg-surface-inset p-5 wide:sticky wide:top-6">{aside}</aside>
          )}
        </div>
      </EditedContext>
      <div className="sticky bottom-0 z-10 flex flex-col gap-3 border-line border-t bg-paper py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        {error && (
          <Notice
            tone="bad"
            title={marksFields ? shared('error.fields') : (others[0] ?? errorText(error, shared))}
          />
        )}
        <div className="flex flex-wrap items-center gap-3">
          <Button
            label={saveLabel ?? t('office.save')}
            type="submit"
            variant={actions ? 'secondary' : 'primary'}
            busy={saving}
            disabled={edits.length === 0}
          />
          {actions}
          {edits.length > 0 && (
            <Button label={t('office.document.discard')} variant="secondary" onClick={document.discard} />
          )}
          {(['undo', 'redo'] as const).map((way) => (
            <IconButton
              key={way}
              icon={
                way === 'undo'
                  ? 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3'
                  : 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3'
              }
              label={t(`office.document.${way}`)}
              disabled={!document[way]}
              onClick={() => document[way]?.()}
            />
          ))}
          <p role="status" className="text-ink-soft text-sm">
            {edits.length > 0 && t('office.document.unsaved', { count: edits.length })}
            {document.saved && t('office.document.saved')}
          </p>
        </div>
      </div>
      {conflicts.length > 0 && (
        <MineOrTheirs key={conflicts.map(({ path }) => path).join()} document={document} />
      )}
    </form>
  );
}

function MineOrTheirs({ document: { conflicts, labelOf, textOf, resolve } }: { document: OpenDocument }) {
  const { t } = useLanguage();
  const [mine, setMine] = useState<readonly boolean[]>(() => conflicts.map(() => true));
  const cards = ({ path, mine: own, theirs }: Conflict) => [
    { value: 'mine' as const, title: t('office.document.mine'), note: textOf(path, own) },
    { value: 'theirs' as const, title: t('office.document.theirs'), note: textOf(path, theirs) },
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
      <Button
        label={t('office.document.take')}
        onClick={() => resolve(conflicts.filter((_, index) => mine[index]))}
      />
    </Dialog>
  );
}

interface FieldOf
  extends Omit<TextFieldProps, 'value' | 'onChange' | 'error' | 'label' | 'form' | 'hintBelow'> {
  path: Path;
  label: string;
}

/** With `nullable`, null stands for an empty text. Hints stand below, since fields stand in rows. */
export function TextOf({ path, label, nullable = false, ...rest }: FieldOf & { nullable?: boolean }) {
  const form = useEdited();
  return (
    <TextField
      {...rest}
      hintBelow
      label={label}
      name={path.join('.')}
      autoComplete="off"
      value={String(form.valueAt(path) ?? '')}
      error={form.errorAt(path, label)}
      onChange={({ target }) => form.change(path, nullable && target.value === '' ? null : target.value)}
    />
  );
}

/** A time of day, taken as people write it. What is typed stays in the field until it is left. */
export function ClockField({
  value,
  onChange,
  ...rest
}: Omit<TextFieldProps, 'value' | 'onChange' | 'inputMode'> & {
  value: string;
  onChange: (clock: string) => void;
}) {
  const [typed, setTyped] = useState<string>();
  return (
    <TextField
      {...rest}
      autoComplete="off"
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        onChange(writtenClock(target.value));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

export function ClockOf({ path, label, ...rest }: FieldOf) {
  const form = useEdited();
  return (
    <ClockField
      {...rest}
      hintBelow
      label={label}
      name={path.join('.')}
      value={String(form.valueAt(path) ?? '')}
      error={form.errorAt(path, label)}
      onChange={(clock) => form.change(path, clock)}
    />
  );
}

interface LocalTextOfProps extends FieldOf {
  long?: boolean;
  /** What stands for no text in any language: null, or nothing at all. */
  without?: 'null' | 'nothing' | undefined;
}

/** Writes a text in one language: one that had none has none again, and with the last text the field is empty. */
export function changeText(
  form: EditedDocument,
  { path, without }: Pick<LocalTextOfProps, 'path' | 'without'>,
  code: Locale,
  text: string,
) {
  const isLast = text === '' && localeCodes.every((each) => each === code || !form.valueAt([...path, each]));
  if (isLast && without) form.change(path, without === 'null' ? null : undefined);
  else form.change([...path, code], text === '' && code !== mainLocale() ? undefined : text);
}

/** A field for each language of the shop, beside each other. */
export function LocalTextOf({ path, label, hint, long = false, without }: LocalTextOfProps) {
  const form = useEdited();
  const Control = (long ? TextArea : TextField) as (props: TextFieldProps) => ReactNode;
  return (
    <div className="grid gap-5 product:grid-cols-2">
      {offeredLocales().map((code) => {
        const at = [...path, code];
        const named = labelIn(code, label);
        const value = form.valueAt(at);
        return (
          <Control
            key={code}
            label={named}
            name={at.join('.')}
            lang={locales[code].tag}
            autoComplete="off"
            hint={form.noteAt?.(at) ?? hint}
            value={String(value ?? '')}
            error={form.errorAt(at, named) ?? form.errorAt(path, label)}
            onChange={({ target }) => changeText(form, { path, without }, code, target.value)}
          />
        );
      })}
    </div>
  );
}

export const pair = 'grid gap-5 product:grid-cols-2';

export interface TypedOfProps extends FieldOf {
  /** Null stands for an empty text. */
  nullable?: boolean;
  /** An empty field is left out. */
  isOptional?: boolean;
  /** What cannot be parsed stays the text, for the server to refuse. */
  parse: (text: string) => number | string;
  /** Also what is no number. */
  print: (value: unknown) => string;
}

/** A number as text: what is typed stays as it was typed while it means the value. */
export function TypedOf({
  path,
  label,
  nullable = false,
  isOptional = false,
  parse,
  print,
  ...rest
}: TypedOfProps) {
  const form = useEdited();
  const value = form.valueAt(path);
  const [typed, setTyped] = useState('');
  const none = isOptional ? undefined : nullable ? null : '';
  const parsed = (text: string) => (text.trim() === '' ? none : parse(text));
  return (
    <TextField
      {...rest}
      hintBelow
      label={label}
      name={path.join('.')}
      inputMode="decimal"
      autoComplete="off"
      value={parsed(typed) === value ? typed : print(value)}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) => {
        setTyped(target.value);
        form.change(path, parsed(target.value));
      }}
    />
  );
}

export const NumberOf = (props: Omit<TypedOfProps, 'parse' | 'print'>) => (
  <TypedOf {...props} parse={numberOrText} print={writtenNumber} />
);

function numberOrText(text: string): number | string {
  const number = Number(text.trim().replace(',', '.'));
  return Number.isFinite(number) ? Math.round(number * 1000) / 1000 : text;
}

type CheckOfProps = Omit<ComponentProps<typeof Checkbox>, 'form' | 'checked' | 'onChange' | 'label'> &
  Pick<FieldOf, 'path' | 'label'>;

export function CheckOf({ path, label, ...rest }: CheckOfProps) {
  const form = useEdited();
  const { t } = useLanguage();
  const print = (value: unknown) => t(value === true ? 'office.goods.sku.yes' : 'office.goods.sku.no');
  return (
    <Checkbox
      {...rest}
      className="min-h-11 justify-center"
      name={path.join('.')}
      label={label}
      checked={form.valueAt(path) === true}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) => form.change(path, target.checked)}
    />
  );
}

interface SelectOfProps extends Pick<FieldOf, 'path' | 'label' | 'hint'> {
  options: readonly SelectOption[];
  placeholder?: string;
  /** Null stands for the placeholder. */
  nullable?: boolean;
  /** What a field that is left out means. */
  usual?: string;
}

export function SelectOf({ path, label, options, nullable = false, usual = '', ...rest }: SelectOfProps) {
  const form = useEdited();
  const print = (value: unknown) =>
    options.find((each) => each.value === value)?.label ?? String(value ?? '');
  return (
    <Select
      {...rest}
      options={[...options]}
      label={label}
      name={path.join('.')}
      value={String(form.valueAt(path) ?? usual)}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) => form.change(path, nullable && target.value === '' ? null : target.value)}
    />
  );
}

interface ChecksOfProps extends Pick<FieldOf, 'path' | 'label'> {
  hint?: string | undefined;
  options: readonly { value: string; label: string }[];
}

/** A list of what is ticked, the latest last. */
export function ChecksOf({ path, label, hint, options }: ChecksOfProps) {
  const { t } = useLanguage();
  const form = useEdited();
  const value = (form.valueAt(path) ?? []) as readonly string[];
  const error = form.errorAt(path, label, (ticked) =>
    ((ticked ?? []) as string[])
      .map((each) => options.find((option) => option.value === each)?.label ?? each)
      .join(t('office.listSeparator')),
  );
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined}>
      <legend className={legendClass}>{label}</legend>
      {hint && <p className="text-ink-soft text-sm">{hint}</p>}
      <div className="flex flex-wrap gap-x-6">
        {options.map((each) => (
          <Checkbox
            key={each.value}
            className="min-h-11 justify-center"
            name={path.join('.')}
            label={each.label}
            checked={value.includes(each.value)}
            onChange={({ target }) => {
              const others = value.filter((other) => other !== each.value);
              form.change(path, target.checked ? [...others, each.value] : others);
            }}
          />
        ))}
      </div>
      <FieldError id={id}>{error}</FieldError>
    </fieldset>
  );
}

interface ListOfProps<T> extends Pick<FieldOf, 'path' | 'label' | 'hint'> {
  separator?: string;
  print?: (entry: T) => string;
  parse?: (text: string) => T[];
}

const wordsIn = (text: string): string[] =>
  text
    .split(/[,，\n]/)
    .map((each) => each.trim())
    .filter(Boolean);

/** A list that is typed as text: words with commas, or what `parse` makes of it. */
export function ListOf<T = string>({
  path,
  label,
  hint,
  separator = ', ',
  print = String,
  parse,
}: ListOfProps<T>) {
  const form = useEdited();
  const read = parse ?? (wordsIn as unknown as (text: string) => T[]);
  const value = (form.valueAt(path) ?? []) as T[];
  const printed = (list: unknown) => ((list ?? []) as T[]).map((each) => print(each)).join(separator);
  const [typed, setTyped] = useState<string>();
  const isTyped = typed !== undefined && JSON.stringify(read(typed)) === JSON.stringify(value);
  const inside = value.map((_, index) => form.errorAt([...path, String(index)], label)).find(Boolean);
  return (
    <TextArea
      label={label}
      hint={hint}
      name={path.join('.')}
      autoComplete="off"
      value={isTyped ? typed : printed(value)}
      error={form.errorAt(path, label, printed) ?? inside}
      onChange={({ target }) => {
        setTyped(target.value);
        form.change(path, read(target.value));
      }}
    />
  );
}

interface MoverProps {
  index: number;
  count: number;
  /** Of the entry, for whoever does not see where the buttons are. */
  name: string;
  onMove: (to: number) => void;
  /** With symbols in place of words, where room is scarce. */
  isSmall?: boolean;
}

export const wayIcons = { up: 'M12 19V5M6 11l6-6 6 6', down: 'M12 5v14M6 13l6 6 6-6' } as const;

/** Moves an entry of a list up and down. The button that was pressed keeps the focus, and the new place is said. */
export function Mover({ index, count, name, onMove, isSmall = false }: MoverProps) {
  const { t } = useLanguage();
  const [isMoved, setIsMoved] = useState(false);
  if (count < 2) return null;
  const button = (way: 'up' | 'down', to: number, isPossible: boolean) => {
    const label = t(way === 'up' ? 'office.moveUp' : 'office.moveDown');
    const onClick = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
      if (!isPossible) return;
      setIsMoved(true);
      onMove(to);
      // An element that moves within its list loses the focus.
      requestAnimationFrame(() => currentTarget.focus());
    };
    const named = `${label}: ${name}`;
    return isSmall ? (
      <IconButton icon={wayIcons[way]} label={named} aria-disabled={!isPossible} onClick={onClick} />
    ) : (
      <Button
        label={label}
        variant="secondary"
        size="small"
        aria-disabled={!isPossible}
        aria-label={named}
        onClick={onClick}
      />
    );
  };
  return (
    <>
      {button('up', index - 1, index > 0)}
      {button('down', index + 1, index < count - 1)}
      <span role="status" className="sr-only">
        {isMoved && t('office.moved', { name, place: index + 1, count })}
      </span>
    </>
  );
}

interface EntryStepsProps {
  /** The name of the list in the document, and the ids of its entries. */
  list: string;
  ids: readonly string[];
  index: number;
  /** Of the entry. */
  name: string;
}

/** Moves an entry of a list of the document up and down, and removes it. */
export function EntrySteps({ list, ids, index, name }: EntryStepsProps) {
  const { t } = useLanguage();
  const form = useEdited();
  const id = ids[index] ?? '';
  return (
    <div className="flex flex-wrap gap-3">
      <Mover
        index={index}
        count={ids.length}
        name={name}
        onMove={(to) => form.change([list, '#'], ids.toSpliced(index, 1).toSpliced(to, 0, id))}
      />
      <Button
        label={t('office.remove')}
        variant="secondary"
        size="small"
        aria-label={`${t('office.remove')}: ${name}`}
        onClick={() => form.change([list, id], undefined)}
      />
    </div>
  );
}
