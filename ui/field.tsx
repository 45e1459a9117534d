import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from '#ui/cx.ts';
import { Icon } from './icon.tsx';

/** The props that connect a control to its label, hint and error. Spread them on the `<input>`. */
interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const fieldClass = 'flex min-w-0 flex-col gap-1.5';
export const fieldLabelClass = 'font-semibold text-base/[1.35]';
export const fieldHintClass = 'font-normal text-ink-soft text-sm';
export const fieldErrorClass = 'flex gap-1.5 font-medium text-clay text-sm';
/** The frame of a field without a standard control: a checkbox, or text in a control's place. */
export function FieldFrame({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx(fieldClass, className)} />;
}

export interface FieldWords {
  label: ReactNode;
  /** Shown before an error occurs: the expected format, or why the shop asks. */
  hint?: ReactNode;
  /** Puts the hint under the control, so that fields in a row stay aligned. */
  hintBelow?: boolean | undefined;
  /** How to fix the error. Falsy: no error. */
  error?: ReactNode;
  optional?: ReactNode;
}

interface FieldProps extends FieldWords {
  /** Set if an external element must find the control (a link of an error summary); generated otherwise. */
  id?: string | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

export function Field({
  label,
  hint,
  hintBelow = false,
  error,
  optional,
  id,
  className,
  children,
}: FieldProps) {
  const made = useId();
  const control = id ?? made;
  const describedBy = cx(hint ? `${control}-hint` : null, error ? `${control}-error` : null);
  const hintLine = hint && (
    <p className={fieldHintClass} id={`${control}-hint`}>
      {hint}
    </p>
  );
  return (
    <FieldFrame className={className}>
      <label className={fieldLabelClass} htmlFor={control}>
        {label}
        {optional && <span className={fieldHintClass}> {optional}</span>}
      </label>
      {!hintBelow && hintLine}
      {children({
        id: control,
        'aria-describedby': describedBy || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      <FieldError id={`${control}-error`}>{error}</FieldError>
      {hintBelow && hintLine}
    </FieldFrame>
  );
}

interface FieldErrorProps {
  id: string;
  /** It has no control, so it takes the focus itself (`focusFirstInvalid`). */
  alone?: boolean;
  className?: string;
  children: ReactNode;
}

export function FieldError({ id, alone = false, className, children }: FieldErrorProps) {
  if (!children) return null;
  return (
    <p
      className={cx(fieldErrorClass, className)}
      id={id}
      {...(alone ? { tabIndex: -1, 'data-invalid': true } : {})}
    >
      <Icon name="warning" size={18} className="mt-[0.15em]" />
      <span>{children}</span>
    </p>
  );
}

/** Focuses the first control of `form` that is marked invalid, or an error without one. Call it after the errors have rendered. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
  const inside = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input:not(:disabled)') : null;
  (inside ?? wrong)?.focus();
}
