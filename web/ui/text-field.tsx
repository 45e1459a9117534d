import type { ComponentProps } from 'react';
import { Field, type FieldWords } from './field.tsx';

export interface TextFieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'children'> {
  /** The class of the whole field; the input has its own look. */
  className?: string;
}

/** One line of text. Set `autoComplete` and `inputMode`, so that phones autofill it and show the right keyboard. */
export function TextField({ label, hint, hintBelow, error, optional, id, className, type = 'text', ...rest }: TextFieldProps) {
  return (
    <Field {...{ label, hint, hintBelow, error, optional, id, className }}>
      {(control) => <input {...rest} {...control} type={type} className="input" />}
    </Field>
  );
}

export interface TextAreaProps extends FieldWords, Omit<ComponentProps<'textarea'>, 'children'> {
  className?: string;
}

/** Several lines of text; grows with the text if the browser supports it. */
export function TextArea({ label, hint, error, optional, id, className, rows = 3, ...rest }: TextAreaProps) {
  return (
    <Field {...{ label, hint, error, optional, id, className }}>
      {(control) => (
        <textarea {...rest} {...control} rows={rows} className="input field-sizing-content max-h-96 min-h-24 resize-y" />
      )}
    </Field>
  );
}
