import { type ComponentProps, type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';

/** What a control needs to belong to its label, hint and error. Spread it on the `<input>`. */
export interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

const fieldClass = 'flex min-w-0 flex-col gap-1.5';
export const fieldLabelClass = 'font-semibold text-base/[1.35]';
export const fieldHintClass = 'font-normal text-ink-soft text-sm';
export const fieldErrorClass = 'flex gap-1.5 font-medium text-clay text-sm';
/** The frame of a field that has no control of its own kind: a checkbox, or a text in a control's place. */
export function FieldFrame({ className, ...rest }: ComponentProps<'div'>) {
  return <div {...rest} className={cx(fieldClass, className)} />;
}

export interface FieldWords {
  label: ReactNode;
  /** Said before one makes a mistake: the form it should have, or why it is asked. */
  hint?: ReactNode;
  /** The hint stands under the control, where fields beside each other must not be pushed out of line. */
  hintBelow?: boolean | undefined;
  /** How to mend what is wrong, in words. Falsy: nothing is wrong. */
  error?: ReactNode;
  /** The word shown beside the label of a field that may stay empty ("optional"). */
  optional?: ReactNode;
}

export interface FieldProps extends FieldWords {
  /** Set where something outside must find the control (an error summary's link); made up otherwise. */
  id?: string | undefined;
  className?: string | undefined;
  children: (control: ControlProps) => ReactNode;
}

/** Label above, hint under it, the control, its error below. */
export function Field({ label, hint, hintBelow = false, error, optional, id, className, children }: FieldProps) {
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
      {children({ id: control, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      <FieldError id={`${control}-error`}>{error}</FieldError>
      {hintBelow && hintLine}
    </FieldFrame>
  );
}

interface FieldErrorProps {
  id: string;
  /** There is no control that it belongs to: it takes the focus itself (`focusFirstInvalid`). */
  alone?: boolean;
  className?: string;
  children: ReactNode;
}

/** The error of one control or group; nothing where there is none. */
export function FieldError({ id, alone = false, className, children }: FieldErrorProps) {
  if (!children) return null;
  return (
    <p className={cx(fieldErrorClass, className)} id={id} {...(alone ? { tabIndex: -1, 'data-invalid': true } : {})}>
      <Icon name="warning" size={18} className="mt-[0.15em]" />
      <span>{children}</span>
    </p>
  );
}

/**
 * Moves focus to the first control of `form` that is marked wrong, or an error without one; in a group of radio buttons to its
 * first button. Call it after the errors are on the screen.
 */
export function focusFirstInvalid(form: HTMLElement | null): void {
  const wrong = form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]');
  const inside = wrong?.matches('fieldset') ? wrong.querySelector<HTMLElement>('input:not(:disabled)') : null;
  (inside ?? wrong)?.focus();
}
