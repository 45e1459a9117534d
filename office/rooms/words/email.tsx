/** An email: its texts, beside it as it will look. */
import { useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { type EmailSlot, isEmailId } from '#contract/emails.ts';
import { type Locale, locales, offeredLocales } from '#contract/locales.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import { Button } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import { TextArea, TextField } from '#ui/inputs.tsx';
import type { Path } from '../../lib/document.tsx';
import { useEdited } from '../../lib/document-form.tsx';
import { labelIn } from '../../lib/i18n.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { EmailPreview } from './email-preview.tsx';

type Slot = StaffResponse<'email'>['slots'][number];

export default function EmailPage() {
  const { email = '' } = useParams({ strict: false }) as { email?: string };
  const { t } = useOffice();
  return (
    <KindPage
      kind="email"
      id={email}
      name={['email', email]}
      title={isEmailId(email) ? t(`office.words.email.${email}`) : email}
      list={{ path: 'words', query: 'emails', title: t('office.words') }}
      needs="settings.shop"
      removable={false}
      isWide
      aside={(_, edits) => <EmailPreview id={email} edits={edits} />}
    >
      {({ slots }) => (
        <>
          {isEmailId(email) && <p className="text-ink-soft">{t(`office.words.when.${email}`)}</p>}
          <EmailFields slots={slots} />
        </>
      )}
    </KindPage>
  );
}

/** Of the texts that the email has, in their order in it. */
export function EmailFields({ slots }: { slots: readonly Slot[] }) {
  const { t } = useOffice();
  const form = useEdited();
  const own = slots.filter(({ name }) => form.valueAt([name]) !== undefined);
  const fields = forms.email.flatMap((field) => {
    const slot = slots.find(({ name }) => name === field.path[0]);
    return slot ? [{ field, slot }] : [];
  });
  return (
    <FormSection title={t('office.words.texts')}>
      <p className="text-ink-soft">{t('office.words.textsWhy')}</p>
      {fields.map(({ field, slot }) => (
        <SlotOf key={slot.name} field={field} slot={slot} />
      ))}
      {own.length > 0 && (
        <Button
          label={t('office.words.allDelivered')}
          variant="secondary"
          size="small"
          className="self-start"
          onClick={() => {
            for (const { name } of own) form.change([name], undefined);
          }}
        />
      )}
    </FormSection>
  );
}

const longSlots: readonly EmailSlot[] = ['text', 'closing', 'foot'];

/** A text in each language of the shop, with the fields that it may have. */
function SlotOf({ field, slot }: { field: FormField; slot: Slot }) {
  const { t } = useOffice();
  const form = useEdited();
  const box = useRef<HTMLFieldSetElement>(null);
  const { path } = field;
  const codes = offeredLocales();
  const label = t(field.label);
  const shown = (code: Locale) => String(form.valueAt([...path, code]) ?? slot.delivered?.[code] ?? '');
  /** A text as it is delivered is none of the merchant's own, and goes on to follow that. */
  const write = (code: Locale, text: string) => {
    const isDelivered = text === (slot.delivered?.[code] ?? '');
    const others = Object.entries((form.valueAt(path) ?? {}) as Record<string, string>).filter(
      ([each]) => each !== code,
    );
    if (isDelivered && others.length === 0) form.change(path, undefined);
    else form.change([...path, code], isDelivered ? undefined : text);
  };
  /** Where the text is typed, or was last. */
  const insert = (name: string) => {
    const inputs = [
      ...(box.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-text]') ?? []),
    ];
    const input = inputs.find((each) => each.dataset.last === 'yes') ?? inputs[0];
    const code = codes.find((each) => input?.name === [...path, each].join('.'));
    if (!input || !code) return;
    const at = input.selectionStart ?? input.value.length;
    const end = input.selectionEnd ?? at;
    write(code, `${input.value.slice(0, at)}{${name}}${input.value.slice(end)}`);
    requestAnimationFrame(() => {
      input.focus();
      input.setSelectionRange(at + name.length + 2, at + name.length + 2);
    });
  };
  const remember = (input: HTMLElement) => {
    for (const each of box.current?.querySelectorAll<HTMLElement>('[data-text]') ?? [])
      each.dataset.last = each === input ? 'yes' : 'no';
  };
  const Control = longSlots.includes(slot.name) ? TextArea : TextField;
  return (
    <fieldset ref={box} className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{label}</legend>
      <div className="flex flex-col gap-4">
        {codes.map((code) => {
          const at: Path = [...path, code];
          const named = labelIn(code, label);
          const isOwn = form.valueAt(at) !== undefined;
          return (
            <div key={code} className="flex flex-col items-start gap-1">
              <Control
                className="w-full"
                label={named}
                hint={field.hint && t(field.hint)}
                name={at.join('.')}
                lang={locales[code].tag}
                autoComplete="off"
                data-text
                value={shown(code)}
                error={form.errorAt(at, named)}
                onFocus={({ target }: { target: HTMLElement }) => remember(target)}
                onChange={({ target }: { target: { value: string } }) => write(code, target.value)}
              />
              {isOwn && slot.delivered && (
                <button
                  type="button"
                  className="min-h-8 text-sm underline"
                  aria-label={`${t('office.words.useDelivered')}: ${named}`}
                  onClick={() => write(code, slot.delivered?.[code] ?? '')}
                >
                  {t('office.words.useDelivered')}
                </button>
              )}
            </div>
          );
        })}
      </div>
      {slot.fields.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          <span className="text-ink-soft">{t('office.words.insert')}</span>
          {slot.fields.map((name) => (
            <button
              key={name}
              type="button"
              className="min-h-8 underline decoration-dotted"
              aria-label={t('office.words.insertInto', {
                field: t(`office.words.field.${name}`),
                text: label,
              })}
              onClick={() => insert(name)}
            >
              {t(`office.words.field.${name}`)}
              {slot.required.includes(name) && ` (${t('office.words.needed')})`}
            </button>
          ))}
        </div>
      )}
    </fieldset>
  );
}
