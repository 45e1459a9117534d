import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { FieldError, FieldFrame, fieldHintClass } from './field.tsx';

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'type' | 'children'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  className?: string;
}

/** A checkbox with its label beside it. */
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
