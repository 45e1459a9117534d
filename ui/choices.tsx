import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { FieldError } from './field.tsx';

export const legendClass = 'mb-2.5 block font-semibold leading-[1.35]';

export interface ChoiceGroupProps {
  legend: ReactNode;
  /** Shows the question to screen readers only, if a heading on the screen asks it. */
  hideLegend?: boolean;
  error?: ReactNode;
  className?: string;
}

interface FrameProps extends ChoiceGroupProps {
  listClass: string;
  children: ReactNode;
}

export function ChoiceGroup({ legend, hideLegend, error, className, listClass, children }: FrameProps) {
  const id = useId();
  return (
    <fieldset
      className={cx('min-w-0', className)}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a group cannot be invalid, a radiogroup can
      role="radiogroup"
      aria-invalid={error ? true : undefined}
      aria-describedby={error ? `${id}-error` : undefined}
    >
      <legend className={hideLegend ? 'sr-only' : legendClass}>{legend}</legend>
      <div className={listClass}>{children}</div>
      <FieldError id={`${id}-error`} className="mt-2.5">
        {error}
      </FieldError>
    </fieldset>
  );
}

interface ChoiceProps<V extends string> {
  name: string;
  value: V;
  chosen: V | null;
  disabled?: boolean | undefined;
  label?: string | undefined;
  onChange: (value: V) => void;
  /** The visible part: one element with the class `choice-face`. */
  children: ReactNode;
}

/** One answer. The transparent radio button covers the whole face. */
export function Choice<V extends string>({
  name,
  value,
  chosen,
  disabled,
  label,
  onChange,
  children,
}: ChoiceProps<V>) {
  return (
    <label className="group/choice choice">
      <input
        type="radio"
        name={name}
        value={value}
        checked={chosen === value}
        disabled={disabled}
        aria-label={label}
        onChange={() => onChange(value)}
      />
      {children}
    </label>
  );
}
