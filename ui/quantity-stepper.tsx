import { type ChangeEvent, type FocusEvent, type KeyboardEvent, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { announce, prefersReducedMotion } from '#ui/page.tsx';

/** SPEC §5: 1 to 98, unless less is left. */
export interface QuantityRange {
  min: number;
  max: number;
}

export const quantityRange: QuantityRange = { min: limits.quantityMin, max: limits.quantityMax };

/** One step up or down, limited to the range. */
export function stepQuantity(
  value: number,
  step: number,
  { min, max }: QuantityRange = quantityRange,
): number {
  return Math.min(max, Math.max(min, value + step));
}

/** A number over the maximum becomes the maximum; anything that is not an integer of at least one becomes 0, to be rejected. */
export function typedQuantity(text: string, { max }: QuantityRange = quantityRange): number {
  // Chinese input methods type full-width digits.
  const digits = text.trim().normalize('NFKC');
  return /^\d+$/.test(digits) ? Math.min(max, Number(digits)) : 0;
}

interface QuantityStepperProps {
  value: number;
  /** At once by the buttons and the arrow keys; for typed text at blur or Enter, which may give 0 (empty, or not a number): reject it. */
  onChange: (value: number) => void;
  /** The subject of the quantity, for a row of a cart: "Quantity of Speckled mug". "Quantity" by default. */
  label?: string;
  /** Of the field, in a form that works without scripts. */
  name?: string | undefined;
  /** 1 to 98 by default, both included. */
  range?: QuantityRange;
  /** The id of the error beside it, which also marks it as invalid. */
  errorId?: string | undefined;
  disabled?: boolean;
  className?: string;
}

/** A number between a minus and a plus button. At a limit the button stays in its place but does nothing. */
export function QuantityStepper({
  value,
  onChange,
  label,
  name: fieldName,
  range = quantityRange,
  errorId,
  disabled,
  className,
}: QuantityStepperProps) {
  const t = useT();
  const name = label ?? t('ui.quantity');
  const [step, input] = useQuantity(value, onChange, range);
  const end = (by: number, icon: 'minus' | 'plus', text: string) => (
    <button
      type="button"
      aria-label={`${text} (${name})`}
      aria-disabled={stepQuantity(value, by, range) === value}
      disabled={disabled}
      onClick={() => step(by)}
    >
      <Icon name={icon} size={20} />
    </button>
  );

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring its legend and box
    <div className={cx('stepper', className)} role="group" aria-label={name}>
      {end(-1, 'minus', t('ui.quantity.less'))}
      <input
        {...input}
        name={fieldName}
        type="text"
        role="spinbutton"
        inputMode="numeric"
        autoComplete="off"
        aria-label={name}
        aria-valuenow={value}
        aria-valuemin={range.min}
        aria-valuemax={range.max}
        aria-invalid={errorId ? true : undefined}
        aria-describedby={errorId}
        maxLength={3}
        disabled={disabled}
      />
      {end(1, 'plus', t('ui.quantity.more'))}
    </div>
  );
}

function useQuantity(value: number, onChange: (value: number) => void, range: QuantityRange) {
  const t = useT();
  const [typed, setTyped] = useState<string | null>(null);
  const figure = useRef<HTMLInputElement>(null);
  const change = (next: number) => {
    setTyped(null);
    if (next === value) return;
    onChange(next);
    const from = `0 ${8 * Math.sign(next - value)}px`;
    if (!prefersReducedMotion()) figure.current?.animate({ translate: [from, '0'], opacity: [0, 1] }, 150);
    announce(t('ui.quantity.now', { count: next }));
  };
  const step = (by: number) =>
    change(stepQuantity(typed === null ? value : typedQuantity(typed, range), by, range));
  const leave = () => {
    if (typed === null) return;
    const next = typedQuantity(typed, range);
    setTyped(null);
    if (next !== value) onChange(next);
  };
  const press = (event: KeyboardEvent) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (by) {
      event.preventDefault();
      step(by);
    } else if (event.key === 'Enter') leave();
  };
  const input = {
    ref: figure,
    value: typed ?? value,
    onChange: (event: ChangeEvent<HTMLInputElement>) => setTyped(event.target.value),
    onFocus: (event: FocusEvent<HTMLInputElement>) => event.target.select(),
    onBlur: leave,
    onKeyDown: press,
  };
  return [step, input] as const;
}
