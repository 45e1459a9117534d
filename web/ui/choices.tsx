import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { FieldError } from './field.tsx';

export interface ChoiceGroupProps {
  /** The question: "Colour", "How would you like to get it?". */
  legend: ReactNode;
  /** Keeps the question for screen readers only, where a heading on the screen asks it. */
  hideLegend?: boolean;
  error?: ReactNode;
  className?: string;
}

interface FrameProps extends ChoiceGroupProps {
  listClass: string;
  children: ReactNode;
}

/** The frame of every group of radio buttons: a question, the answers, an error. */
export function ChoiceGroup({ legend, hideLegend, error, className, listClass, children }: FrameProps) {
  const id = useId();
  return (
    <fieldset
      className={cx('choices', className)}
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
      // An error sends focus to the first thing marked wrong; a fieldset takes it only if it may.
      tabIndex={error ? -1 : undefined}
    >
      <legend className={hideLegend ? 'sr-only' : 'choices-legend'}>{legend}</legend>
      <div className={listClass}>{children}</div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  );
}

export interface ChoiceInput<V extends string> {
  name: string;
  value: V;
  chosen: V | null;
  disabled?: boolean | undefined;
  label?: string | undefined;
  onChange: (value: V) => void;
}

/** The radio button under a card or chip: transparent, over its whole face. */
export function ChoiceRadio<V extends string>({ name, value, chosen, disabled, label, onChange }: ChoiceInput<V>) {
  return (
    <input
      type="radio"
      name={name}
      value={value}
      checked={chosen === value}
      disabled={disabled}
      aria-label={label}
      onChange={() => onChange(value)}
    />
  );
}
