import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { limits } from '#contract/limits.ts';
import type { FieldTexts } from '#ui/errors.ts';
import { Field } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { TextField } from '#ui/inputs.tsx';
import { lockIcon } from '#ui/page-icons.ts';
import {
  brandNames,
  type CardBrand,
  cardBrand,
  caretAfterGrouping,
  formatExpiry,
  groupCardNumber,
  parseExpiry,
} from './card-text.ts';

/** The letters on each mark. Mastercard's mark has two circles instead. */
const letters: Record<Exclude<CardBrand, 'mastercard'>, string> = {
  visa: 'VISA',
  amex: 'AMEX',
  discover: 'DISC',
  unionpay: 'UP',
  jcb: 'JCB',
  diners: 'DC',
};

const markColors: Record<CardBrand, string> = {
  visa: '#1a1f71',
  mastercard: '#252525',
  amex: '#1f6fb5',
  discover: '#8a4a12',
  unionpay: '#0b6b6b',
  jcb: '#0e4c96',
  diners: '#3a4d63',
};

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
      <TextField
        {...field('cardHolderName')}
        label={t('payment.card.holder')}
        autoComplete="cc-name"
        maxLength={200}
      />
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
          {mark && (
            <span className="pointer-events-none absolute inset-y-0 right-3 flex items-center">{mark}</span>
          )}
        </span>
      )}
    </Field>
  );
}

function ExpiryField({ value, errors, onChange }: CardFormProps) {
  const t = useT();
  const shown = formatExpiry(value);
  const texts = ['expirationMonth', 'expirationYear'].flatMap(
    (name) => errors[`paymentInstrucment.${name}`] ?? [],
  );
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

/** 38 × 24 px. Its colours do not follow the page's theme. */
function BrandMark({ brand }: { brand: CardBrand }) {
  return (
    <svg width={38} height={24} viewBox="0 0 38 24" role="img" aria-label={brandNames[brand]}>
      <rect width={38} height={24} rx={3} fill={markColors[brand]} />
      {brand === 'mastercard' ? (
        <g>
          <circle cx={15.5} cy={12} r={7} fill="#eb001b" />
          <circle cx={22.5} cy={12} r={7} fill="#f79e1b" fillOpacity={0.9} />
        </g>
      ) : (
        <text
          x={19}
          y={16}
          textAnchor="middle"
          fontSize={11}
          fontWeight={700}
          fontFamily="Arial, sans-serif"
          fill="#fff"
        >
          {letters[brand]}
        </text>
      )}
    </svg>
  );
}

/** On the back, or on the front of American Express. */
function CodeMark({ front }: { front: boolean }) {
  return (
    <svg
      width={56}
      height={36}
      viewBox="0 0 56 36"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      aria-hidden
    >
      <rect x={1} y={1} width={50} height={34} rx={4} />
      {front ? <path d="M7 23h22M7 28h14" /> : <path d="M1 9.5h50" strokeWidth={5} />}
      <path d={front ? 'M35 12h10' : 'M8 21h20'} />
      <path
        d={front ? 'M36 12h1m2 0h1m2 0h1' : 'M37 21h1m3 0h1m3 0h1'}
        strokeWidth={2.5}
        strokeLinecap="round"
      />
      <rect
        className="text-action"
        x={31}
        y={front ? 5.5 : 14.5}
        width={20}
        height={13}
        rx={6.5}
        strokeWidth={2}
      />
    </svg>
  );
}
