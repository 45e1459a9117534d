import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { limits } from '#contract/limits.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { Field } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { lockIcon } from '#ui/page-icons.ts';
import { BrandMark, CodeMark } from './card-marks.tsx';
import { cardBrand, caretAfterGrouping, formatExpiry, groupCardNumber, parseExpiry } from './card-text.ts';

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
  onChange: (changes: Partial<CardValue>) => void;
}

export function CardForm({ value, errors, onChange }: CardFormProps) {
  const t = useT();
  const brand = cardBrand(value.creditCardNumber);
  const field = (name: keyof CardValue) => ({
    name,
    value: value[name],
    error: errors[`paymentInstrucment.${name}`],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <>
      <CardNumberField
        {...field('creditCardNumber')}
        mark={brand && <BrandMark brand={brand} />}
        onChange={(creditCardNumber) => onChange({ creditCardNumber })}
      />
      <TextField {...field('cardHolderName')} label={t('payment.card.holder')} autoComplete="cc-name" maxLength={200} />
      <div className="grid grid-cols-2 items-start gap-x-4">
        <ExpiryField value={value} errors={errors} onChange={onChange} />
        <CodeField {...field('cardCode')} front={brand === 'amex'} />
      </div>
      <p className="flex items-start gap-2 text-ink-soft text-sm">
        <Icon name={lockIcon} size={18} className="mt-0.5 text-action" />
        {t('payment.card.safe')}
      </p>
    </>
  );
}

interface CardNumberFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  /** Null while the network is unknown. */
  mark: ReactNode;
  onChange: (number: string) => void;
}

/** The caret stays after the digit just typed. */
function CardNumberField({ name, value, error, mark, onChange }: CardNumberFieldProps) {
  const t = useT();
  const input = useRef<HTMLInputElement>(null);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null) input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  });
  return (
    <Field label={t('payment.card.number')} error={error}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            ref={input}
            type="text"
            name={name}
            className="input"
            value={value}
            inputMode="numeric"
            autoComplete="cc-number"
            onChange={({ target }) => {
              caret.current = caretAfterGrouping(target.value, target.selectionStart ?? target.value.length);
              onChange(groupCardNumber(target.value));
            }}
          />
          {mark && <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center">{mark}</span>}
        </span>
      )}
    </Field>
  );
}

function ExpiryField({ value, errors, onChange }: CardFormProps) {
  const t = useT();
  const shown = formatExpiry(value);
  const texts = ['expirationMonth', 'expirationYear'].flatMap((name) => errors[`paymentInstrucment.${name}`] ?? []);
  return (
    <TextField
      label={t('payment.card.expiry')}
      name="cardExpiry"
      value={shown}
      error={
        texts.length > 0 &&
        texts.map((text) => (
          <span key={text} className="block">
            {text}
          </span>
        ))
      }
      placeholder={t('payment.card.expiryFormat')}
      inputMode="numeric"
      autoComplete="cc-exp"
      onChange={({ target }) => onChange(parseExpiry(target.value, shown))}
    />
  );
}

interface CodeFieldProps {
  name: string;
  value: string;
  error: string | undefined;
  /** The card has its code on the front. */
  front: boolean;
  onChange: (event: { target: { value: string } }) => void;
}

function CodeField({ error, front, ...input }: CodeFieldProps) {
  const t = useT();
  return (
    <Field
      label={t('payment.card.code')}
      hint={t(front ? 'payment.card.codeHintFront' : 'payment.card.codeHint')}
      hintBelow
      error={error}
    >
      {(control) => (
        <span className="flex items-center gap-3 text-ink-soft">
          <input
            {...control}
            {...input}
            type="text"
            className="input min-w-0 max-w-36"
            inputMode="numeric"
            autoComplete="cc-csc"
            maxLength={limits.cardCodeMax}
          />
          <CodeMark front={front} />
        </span>
      )}
    </Field>
  );
}
