import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { Field, FieldError, FieldFrame, type FieldWords, fieldHintClass } from './field.tsx';
import { Icon } from './icon.tsx';

export interface TextFieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'children'> {
  className?: string;
}

/** One line of text. Set `autoComplete` and `inputMode`, so that phones autofill it and show the right keyboard. */
export function TextField({
  label,
  hint,
  hintBelow,
  error,
  optional,
  id,
  className,
  type = 'text',
  ...rest
}: TextFieldProps) {
  return (
    <Field {...{ label, hint, hintBelow, error, optional, id, className }}>
      {(control) => <input {...rest} {...control} type={type} className="input" />}
    </Field>
  );
}

interface TextAreaProps extends FieldWords, Omit<ComponentProps<'textarea'>, 'children'> {
  className?: string;
}

export function TextArea({ label, hint, error, optional, id, className, rows = 3, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, optional, id, className }}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          rows={rows}
          className="input field-sizing-content max-h-96 min-h-24 resize-y"
        />
      )}
    </Field>
  );
}

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

interface SelectProps extends FieldWords, Omit<ComponentProps<'select'>, 'children'> {
  options: SelectOption[];
  /** A second list with a title of its own. */
  more?: { label: string; options: SelectOption[] } | undefined;
  /** Shown while nothing is chosen (value ''). */
  placeholder?: string;
  className?: string;
}

/** The native select: for countries, provinces, sorting. Never for colours or sizes; those are `OptionChips`. */
export function Select({
  label,
  hint,
  error,
  optional,
  id,
  className,
  options,
  more,
  placeholder,
  ...rest
}: SelectProps) {
  const toOption = (option: SelectOption) => (
    <option key={option.value} value={option.value} disabled={option.disabled}>
      {option.label}
    </option>
  );
  return (
    <Field {...{ label, hint, error, optional, id, className }}>
      {(control) => (
        <SelectControl {...rest} {...control}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map(toOption)}
          {more && <optgroup label={more.label}>{more.options.map(toOption)}</optgroup>}
        </SelectControl>
      )}
    </Field>
  );
}

/** The control alone, for lists whose label is elsewhere; its children are `<option>`s. `className` is for its box. */
export function SelectControl({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={cx('relative block', className)}>
      <select {...rest} className="input appearance-none text-ellipsis pr-11" />
      <Icon
        name="chevron"
        size={20}
        className="pointer-events-none absolute top-[calc(50%-0.625rem)] right-3.5"
      />
    </span>
  );
}

interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string;
}

export function Checkbox({ label, hint, error, className, ...rest }: CheckboxProps) {
  const id = useId();
  const describedBy = cx(hint ? `${id}-hint` : null, error ? `${id}-error` : null);
  return (
    <FieldFrame className={className}>
      <label className="flex cursor-pointer items-start gap-3 py-1">
        <input
          {...rest}
          type="checkbox"
          className="mt-[0.2em] size-5.5 flex-none accent-action"
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy || undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p className={fieldHintClass} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </FieldFrame>
  );
}
