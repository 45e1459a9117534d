import { type ChangeEvent, type FormEvent, useState } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { ApiError } from '#web/lib/api.ts';
import { errorText, type FieldTexts, fieldErrorsOf, fieldTexts } from '#web/lib/api-errors.ts';
import { type FormStateOptions, useFormState } from './use-form-state.ts';

export interface FormOptions<V extends object, R> extends FormStateOptions<V> {
  /** Errors that are known before the rules run, in the customer's language. If there are any, the rules do not run. */
  precheck?: (values: V) => FieldTexts;
  /** The rules shared with the server. */
  validate: (values: V) => FieldErrors;
  send: (values: V) => Promise<R>;
  onSent: (answer: R, values: V) => void | Promise<void>;
  /** Called with the errors that the rules found. */
  onInvalid?: (errors: FieldTexts) => void;
  /** Called with the error that `send` threw. */
  onRejected?: (error: unknown) => void;
  /** The values after a rejection. */
  valuesAfterRejection?: (values: V) => V;
  /** The field that takes the focus after a rejection that marks no field of this form. */
  focusAfterRejection?: keyof V & string;
  /** The errors of a rejection by this form's field paths. By default as the server names them. */
  rejectedFields?: (error: unknown) => FieldTexts;
  /** Returns the message about a rejection besides its field errors; undefined for none. */
  describeRejection?: (error: unknown, fields: FieldTexts) => string | undefined;
}

/** A form that is validated by the shared rules, then sent, once at a time. An error that belongs to no field is in `problem`. */
export function useForm<V extends object, R>(options: FormOptions<V, R>) {
  const t = useT();
  const state = useFormState<V>(options);
  const { ref, values, setValues, errors, setErrors, update, submitted } = state;
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);

  const findErrors = (): FieldTexts => {
    const known = options.precheck?.(values) ?? {};
    return Object.keys(known).length > 0 ? known : fieldTexts(options.validate(values), t);
  };
  /** The first error whose field this form does not have, or the sentence for a rejection without fields. */
  const describe = (error: unknown, fields: FieldTexts) => {
    const foreign = Object.entries(fields).find(([path]) => !(path in values))?.[1];
    return Object.keys(fields).length === 0 ? errorText(error, t) : foreign;
  };
  const showRejection = (error: unknown) => {
    if (!(error instanceof ApiError)) console.error(error);
    if (options.valuesAfterRejection) setValues(options.valuesAfterRejection);
    options.onRejected?.(error);
    const fields = (options.rejectedFields ?? fieldErrorsOf)(error);
    setErrors(fields);
    setProblem((options.describeRejection ?? describe)(error, fields));
    const next = options.focusAfterRejection && ref.current?.elements.namedItem(options.focusAfterRejection);
    if (next instanceof HTMLElement) next.focus();
  };
  const attempt = async () => {
    const found = findErrors();
    setErrors(found);
    setProblem(undefined);
    if (Object.keys(found).length > 0) return options.onInvalid?.(found);
    setBusy(true);
    try {
      await options.onSent(await options.send(values), values);
    } catch (error) {
      showRejection(error);
    } finally {
      setBusy(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void attempt().then(submitted);
  };

  const change = (changes: Partial<V>) => update((old) => ({ ...old, ...changes }), Object.keys(changes));
  /** The props of a text field. */
  const field = <K extends keyof V & string>(name: K) => ({
    name,
    value: values[name] as V[K] & string,
    error: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.target.value } as Partial<V>),
  });

  return { ...state, problem, busy, change, field, formProps: { ref, noValidate: true, onSubmit } };
}
