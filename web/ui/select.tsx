import type { ComponentProps } from 'react';
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

/** The system's own list: for countries, provinces, sorting. Never for colours or sizes; those are `OptionChips`. */
export function Select({ label, hint, error, optional, id, className, options, placeholder, ...rest }: SelectProps) {
  return (
    <Field {...{ label, hint, error, optional, id, className }}>
      {(control) => (
        <span className="select">
          <select {...rest} {...control} className="input">
            {placeholder !== undefined && <option value="">{placeholder}</option>}
            {options.map((option) => (
              <option key={option.value} value={option.value} disabled={option.disabled}>
                {option.label}
              </option>
            ))}
          </select>
          <Icon name="chevron" size={20} />
        </span>
      )}
    </Field>
  );
}
