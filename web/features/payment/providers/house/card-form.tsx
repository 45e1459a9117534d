import { useLayoutEffect, useRef } from 'react';
import { limits } from '#contract/limits.ts';
import { useT } from '#web/i18n/i18n.tsx';
import type { FieldTexts } from '#web/lib/api-errors.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { caretAfterGrouping, groupCardNumber } from './card-number.ts';

/** In memory only: never stored, never logged. */
export interface CardValue {
  cardHolderName: string;
  creditCardNumber: string;
  cardCode: string;
  expirationMonth: string;
  expirationYear: string;
}

export const emptyCard: CardValue = {
  cardHolderName: '',
  creditCardNumber: '',
  cardCode: '',
  expirationMonth: '',
  expirationYear: '',
};

export interface CardFormProps {
  value: CardValue;
  errors: FieldTexts;
  /** The current year, the first year of expiry. */
  thisYear: number;
  onChange: (changes: Partial<CardValue>) => void;
}

/** How far ahead cards expire, years. */
const yearsAhead = 15;

export function CardForm({ value, errors, thisYear, onChange }: CardFormProps) {
  const t = useT();
  const field = (name: keyof CardValue) => ({
    name,
    value: value[name],
    error: errors[`paymentInstrucment.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <CardNumberField {...field('creditCardNumber')} onChange={(creditCardNumber) => onChange({ creditCardNumber })} />
      <TextField {...field('cardHolderName')} label={t('payment.card.holder')} autoComplete="cc-name" maxLength={200} />
      <div className="grid grid-cols-2 items-start gap-x-4 gap-y-5 product:grid-cols-[1fr_1fr_1.4fr]">
        <Select
          {...field('expirationMonth')}
          label={t('payment.card.month')}
          placeholder={t('payment.card.monthPlaceholder')}
          autoComplete="cc-exp-month"
          options={choices(1, 12)}
        />
        <Select
          {...field('expirationYear')}
          label={t('payment.card.year')}
          placeholder={t('payment.card.yearPlaceholder')}
          autoComplete="cc-exp-year"
          options={choices(thisYear, thisYear + yearsAhead)}
        />
        <TextField
          {...field('cardCode')}
          className="max-product:col-span-2"
          label={t('payment.card.code')}
          hint={t('payment.card.codeHint')}
          hintBelow
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={limits.cardCodeMax}
        />
      </div>
      <p className="flex items-start gap-2 text-ink-soft text-sm">
        <Icon name="check" size={18} className="mt-0.5 text-action" />
        {t('payment.card.safe')}
      </p>
    </>
  );
}

interface CardNumberFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  onChange: (number: string) => void;
}

/** Groups the digits as on the card; the caret stays after the digit just typed. */
function CardNumberField({ name, value, error, onChange }: CardNumberFieldProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return (
    <TextField
      ref={input}
      name={name}
      label={t('payment.card.number')}
      value={value}
      error={error}
      inputMode="numeric"
      autoComplete="cc-number"
      onChange={({ target }) => {
        caret.current = caretAfterGrouping(target.value, target.selectionStart ?? target.value.length);
        onChange(groupCardNumber(target.value));
      }}
    />
  );
}

function choices(from: number, to: number) {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const value = String(from + index).padStart(2, '0');
    return { value, label: value };
  });
}
