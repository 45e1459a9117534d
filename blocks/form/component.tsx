import { type ComponentProps, useEffect, useId, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { formErrors } from '#contract/rules/form.ts';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { Button } from '#ui/button.tsx';
import { useForm } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Select, TextArea, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { focusQuietly } from '#ui/page.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { useApi } from '#web/lib/api.ts';

/** SPEC §4, §5: shows the fields and sends them. After sending, the fields are empty and a message confirms it. */
export function FormBlock({ block }: BlockProps<'form'>) {
  const { fields, title, submitLabel, submittedMessage } = block;
  const t = useT();
  const locale = useLocale();
  const headingId = useId();
  const { form, trap, submitted, notice } = useFormBlock(block);
  return (
    <BlockFrame className="section">
      <section
        className="grid gap-x-16 gap-y-6 form:grid-cols-[minmax(12rem,1fr)_2fr]"
        aria-labelledby={title ? headingId : undefined}
      >
        <div>
          {title && <h2 id={headingId}>{title}</h2>}
          {fields.some(({ isRequired }) => isRequired) && (
            <p className="mt-2 text-sm text-ink-soft">{t('block.form.marked')}</p>
          )}
        </div>
        <div className="grid max-w-[36rem] gap-6">
          <div ref={notice} className="empty:hidden">
            {submitted && <Notice tone="good">{submittedMessage}</Notice>}
          </div>
          <form {...form.formProps} className="grid max-w-[36rem] gap-6" aria-label={title ?? undefined}>
            {fields.map((field) => (
              <FormField
                key={field.name}
                field={field}
                label={inLocale(field.nameContent, locale)}
                value={form.values[field.name] ?? ''}
                error={form.errors[field.name]}
                onChange={(value) => form.change({ [field.name]: value })}
              />
            ))}
            {/* A trap for bots that fill in every field. Not display: none, which they recognise. */}
            <label className="sr-only" aria-hidden="true">
              {t('block.form.trap')}
              <input ref={trap} name="website" tabIndex={-1} autoComplete="off" />
            </label>
            {form.problem && <Notice tone="bad">{form.problem}</Notice>}
            <Button
              type="submit"
              busy={form.busy}
              className="justify-self-start max-form:justify-self-stretch"
            >
              {submitLabel}
            </Button>
          </form>
        </div>
      </section>
    </BlockFrame>
  );
}

function useFormBlock({ uiFormName, uiMailTo, fields }: BlockOf<'form'>) {
  const api = useApi();
  const locale = useLocale();
  const trap = useRef<HTMLInputElement>(null);
  const notice = useRef<HTMLDivElement>(null);
  const opened = useRef(0);
  useEffect(() => {
    opened.current = performance.now();
  }, []);
  const [submitted, setSubmitted] = useState(false);

  const initial = Object.fromEntries(fields.map(({ name, content }) => [name, content]));
  const form = useForm<Record<string, string>, unknown>({
    initial,
    validate: (values) => {
      setSubmitted(false);
      return formErrors(fields, values, locale);
    },
    send: (values) =>
      api.call('submitForm', {
        body: {
          mailTo: uiMailTo,
          formName: uiFormName,
          messageDetails: fields.map(({ name }) => ({ key: name, value: values[name] ?? '' })),
          website: trap.current?.value ?? '',
          secondsOpen: (performance.now() - opened.current) / 1000,
        },
      }),
    onSent: () => {
      form.setValues(initial);
      setSubmitted(true);
    },
  });
  // Move the focus to the message, since a form may be taller than the screen.
  useEffect(() => {
    if (!submitted) return;
    notice.current?.scrollIntoView({ block: 'nearest' });
    focusQuietly(notice.current);
  }, [submitted]);
  return { form, trap, submitted, notice };
}

interface FormFieldProps {
  field: BlockOf<'form'>['fields'][number];
  label: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

function FormField({ field, label, value, error, onChange }: FormFieldProps) {
  const t = useT();
  const { name, isRequired, fieldType } = field;
  const common = {
    name,
    value,
    error,
    required: isRequired,
    label: (
      <>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </>
    ),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  switch (fieldType) {
    case 'textarea':
      return <TextArea {...common} rows={5} maxLength={limits.formLongTextLength} />;
    case 'select':
      return (
        <Select
          {...common}
          placeholder={t('block.form.choose')}
          options={field.options.map((option) => ({ value: option, label: option }))}
        />
      );
    default:
      return <TextField {...common} {...keys(fieldType, name)} maxLength={limits.formTextLength} />;
  }
}

function keys(
  fieldType: 'text' | 'email' | 'tel',
  name: string,
): Pick<ComponentProps<'input'>, 'type' | 'inputMode' | 'autoComplete' | 'autoCapitalize' | 'spellCheck'> {
  if (fieldType === 'email') {
    return {
      type: 'email',
      inputMode: 'email',
      autoComplete: 'email',
      autoCapitalize: 'none',
      spellCheck: false,
    };
  }
  if (fieldType === 'tel') return { type: 'tel', inputMode: 'tel', autoComplete: 'tel' };
  return { type: 'text', autoComplete: autoComplete(name) };
}

/** Autofill hints by the names that merchants usually give to fields. */
function autoComplete(name: string): string | undefined {
  if (/^(?:name|your-?name|full-?name|contact-?name)$/i.test(name)) return 'name';
  if (/^(?:business|company|organi[sz]ation|business-?name|company-?name)$/i.test(name))
    return 'organization';
  return undefined;
}
