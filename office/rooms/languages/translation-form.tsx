/** A text of the shop beside its translation, which is typed and saved at once. What is typed stays on the device until it is saved. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, type ReactNode, Suspense, useState } from 'react';
import { type Locale, locales, mainLocale } from '#contract/locales.ts';
import { isDrafted } from '#contract/staff/document-names.ts';
import type { TextState, Translation } from '#contract/staff/languages.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { fieldErrorsOf } from '#ui/errors.ts';
import { TextArea, TextField, type TextFieldProps } from '#ui/inputs.tsx';
import { useKept } from '../../lib/kept.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

const RichText = lazy(() => import('../../lib/rich-text/rich-text.tsx'));

interface TranslationFormProps {
  text: Translation;
  language: Locale;
}

export function TranslationForm({ text: listed, language }: TranslationFormProps) {
  const { t, call, queries } = useOffice();
  const [saved, setSaved] = useState<{ text: Translation; before: string } | null>(null);
  const text = saved?.text ?? listed;
  const { kind, id, path, title, label } = text;
  const [kept, keep] = useKept<string>(['translation', language, kind, id, ...path]);
  const typed = kept ?? text.translation;
  const save = useMutation({
    mutationFn: (to: string) => {
      const seen = { source: text.source, translation: text.translation };
      return call('saveTranslation', { body: { kind, id, path, language, text: to, seen } });
    },
    onSuccess: (answer) => {
      keep(() => null);
      setSaved({ text: answer, before: text.translation });
      void queries.invalidateQueries({ queryKey: ['translation-counts'] });
    },
    // What others have written is shown beside what is typed.
    onError: () => {
      setSaved(null);
      void queries.invalidateQueries({ queryKey: ['translations'] });
    },
  });
  const isTyped = typed !== text.translation;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (isTyped && !save.isPending) save.mutate(typed, { onSuccess: () => focusNext(form) });
  };
  const [problem] = Object.values(fieldErrorsOf(save.error));
  return (
    <form
      data-translation=""
      aria-label={`${title}: ${label}`}
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
      className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-3 product:grid-cols-[repeat(2,minmax(0,1fr))]"
    >
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold text-base">
          {label} <StateMark state={text.state} />
        </h3>
        <Shown text={text.source} form={text.form} />
        {text.before !== null && (
          <div className="mt-2 border-line border-l-2 pl-3 text-ink-soft text-sm">
            <p>{t('office.languages.before')}</p>
            <Shown text={text.before} form={text.form} />
          </div>
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-2">
        <TranslationField
          text={text}
          language={language}
          value={typed}
          error={problem}
          onChange={(to) => keep(() => to)}
        />
        {!problem && <Problem error={save.error} />}
        <div className="flex flex-wrap items-center gap-3 empty:hidden">
          {isTyped && (
            <Button
              label={t('office.save')}
              type="submit"
              size="small"
              className="min-h-11"
              busy={save.isPending}
              aria-label={t('office.languages.saveOf', { field: label, title })}
            />
          )}
          {!isTyped && text.state === 'stale' && (
            <Button
              label={t('office.languages.stillRight')}
              variant="secondary"
              size="small"
              className="min-h-11"
              busy={save.isPending}
              aria-label={t('office.languages.stillRightOf', { field: label, title })}
              onClick={() => save.mutate(text.translation)}
            />
          )}
          <p role="status" className="text-ink-soft text-sm empty:hidden">
            {saved && !isTyped && t(savedWords(saved.text))}
          </p>
          {saved && !isTyped && saved.before !== saved.text.translation && (
            <Button
              label={t('office.document.undo')}
              variant="quiet"
              size="small"
              className="min-h-11"
              busy={save.isPending}
              aria-label={t('office.languages.undoOf', { field: label, title })}
              onClick={() => save.mutate(saved.before)}
            />
          )}
        </div>
      </div>
    </form>
  );
}

function savedWords({ kind, translation }: Translation) {
  if (translation === '') return 'office.languages.removed';
  return isDrafted(kind as never) ? 'office.languages.savedDraft' : 'office.languages.saved';
}

/** The next text's field, as soon as this one's is saved. */
function focusNext(form: HTMLFormElement): void {
  const forms = [...document.querySelectorAll<HTMLFormElement>('form[data-translation]')];
  const next = forms[forms.indexOf(form) + 1];
  if (form.contains(document.activeElement))
    next?.querySelector<HTMLElement>('input, textarea, [contenteditable]')?.focus();
}

function StateMark({ state }: { state: TextState }) {
  const { t } = useOffice();
  if (state === 'done') return null;
  return (
    <span
      className={cx(
        'inline-block rounded-full border px-2.5 py-0.5 font-normal text-sm',
        state === 'stale' ? 'border-clay text-clay' : 'border-line-strong text-ink-soft',
      )}
    >
      {t(`office.languages.state.${state}`)}
    </span>
  );
}

/** Formatted text without its format: it is read, not edited. */
function Shown({ text, form }: { text: string; form: Translation['form'] }) {
  const plain = form === 'html' ? plainOf(text) : text;
  return (
    <p lang={locales[mainLocale()].tag} className="whitespace-pre-line break-words">
      {plain}
    </p>
  );
}

function plainOf(html: string): string {
  const lines = html.replace(/<br[^>]*>|<\/(?:p|li|h\d|tr|blockquote)>/gi, '$&\n');
  return (new DOMParser().parseFromString(lines, 'text/html').body.textContent ?? '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

interface TranslationFieldProps extends TranslationFormProps {
  value: string;
  error: string | undefined;
  onChange: (to: string) => void;
}

function TranslationField({
  text: { form, most, label },
  language,
  value,
  error,
  onChange,
}: TranslationFieldProps) {
  const { t } = useOffice();
  const { name, tag } = locales[language];
  const [isOpen, setIsOpen] = useState(false);
  if (form === 'html') {
    const open = (
      <div className="flex flex-col items-start gap-2">
        <p className="font-semibold text-sm">{name}</p>
        <p lang={tag} className="whitespace-pre-line break-words">
          {plainOf(value)}
        </p>
        <Button
          label={t('office.languages.write')}
          variant="secondary"
          size="small"
          className="min-h-11"
          aria-label={`${t('office.languages.write')}: ${label}`}
          onClick={() => setIsOpen(true)}
        />
      </div>
    );
    if (!isOpen) return open;
    return (
      <Suspense fallback={<div className="min-h-60" aria-busy />}>
        <RichText
          label={name}
          lang={tag}
          value={value}
          error={error}
          addressOf={() => undefined}
          autoFocus
          onChange={onChange}
        />
      </Suspense>
    );
  }
  const Control = (form === 'line' ? TextField : TextArea) as (props: TextFieldProps) => ReactNode;
  const hint =
    form === 'paragraphs'
      ? t('office.languages.paragraphs')
      : most !== null && t('office.languages.most', { count: most });
  return (
    <Control
      label={name}
      name="translation"
      lang={tag}
      autoComplete="off"
      value={value}
      error={error}
      {...(hint && { hint })}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
