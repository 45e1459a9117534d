import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Field, type FieldWords } from './field.tsx';
import { Icon } from './icon.tsx';

export interface SelectOption {
  value: string;
  label: string;
  disabled?: boolean;
}

export interface SelectProps extends FieldWords, Omit<ComponentProps<'select'>, 'children'> {
  options: SelectOption[];
  /** Shown while nothing is chosen (value ''). */
  placeholder?: string;
  className?: string;
}

/** The native select: for countries, provinces, sorting. Never for colours or sizes; those are `OptionChips`. */
export function Select({ label, hint, error, optional, id, className, options, placeholder, ...rest }: SelectProps) {
  return (
    <Field {...{ label, hint, error, optional, id, className }}>
      {(control) => (
        <SelectControl {...rest} {...control}>
          {placeholder !== undefined && <option value="">{placeholder}</option>}
          {options.map((option) => (
            <option key={option.value} value={option.value} disabled={option.disabled}>
              {option.label}
            </option>
          ))}
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
      <Icon name="chevron" size={20} className="pointer-events-none absolute top-[calc(50%-0.625rem)] right-3.5" />
    </span>
  );
}
