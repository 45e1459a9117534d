import { type FormEvent, type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import { Button } from './button.tsx';
import { ApiError, errorText, type FieldTexts, fieldErrorsOf, fieldTexts } from './errors.ts';
import { focusFirstInvalid } from './field.tsx';
import { useT } from './i18n.tsx';
import { Notice } from './notice.tsx';

interface FormOptions<V extends object, R> extends FormStateOptions<V> {
  /** Errors that are known before the rules run, in the customer's language. If there are any, the rules do not run. */
  precheck?: (values: V) => FieldTexts;
  validate?: (values: V) => FieldErrors;
  send: (values: V) => Promise<R>;
  onSent: (answer: R, values: V) => void | Promise<void>;
  onInvalid?: (errors: FieldTexts) => void;
  onRejected?: (error: unknown) => void;
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
    return Object.keys(known).length > 0 ? known : fieldTexts(options.validate?.(values) ?? {}, t);
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
  const field = <K extends keyof V & string>(name: K) => ({
    name,
    value: values[name] as V[K] & string,
    error: errors[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value } as Partial<V>),
  });
  const tick = <K extends keyof V & string>(name: K) => ({
    checked: values[name] as V[K] & boolean,
    onChange: ({ target }: { target: { checked: boolean } }) =>
      change({ [name]: target.checked } as Partial<V>),
  });

  return { ...state, problem, busy, change, field, tick, formProps: { ref, noValidate: true, onSubmit } };
}

interface FormStateOptions<V extends object> {
  initial: V | (() => V);
  /** Stores the values for this tab; called after every change. Pass a stable function. */
  saveDraft?: ((values: V) => void) | undefined;
  /** Delays focus while true, for a dialog that covers the form. */
  holdFocus?: boolean;
}

/** An error disappears when its field is edited. Call `submitted` after each try to send: focus moves to the first field with an error. */
export function useFormState<V extends object>({
  initial,
  saveDraft,
  holdFocus = false,
}: FormStateOptions<V>) {
  const ref = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldTexts>({});
  const [submitCount, setSubmitCount] = useState(0);
  useEffect(() => saveDraft?.(values), [values, saveDraft]);
  // The errors of the last try have rendered by now.
  useEffect(() => {
    if (submitCount > 0 && !holdFocus) focusFirstInvalid(ref.current);
  }, [submitCount, holdFocus]);

  const clearErrors = useCallback((paths: readonly string[]) => {
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([path]) => !paths.includes(path))));
  }, []);
  const update = (change: (old: V) => V, paths: readonly string[]) => {
    setValues(change);
    clearErrors(paths);
  };
  const submitted = () => setSubmitCount((count) => count + 1);

  return {
    ref,
    values,
    setValues,
    errors,
    setErrors,
    clearErrors,
    errorCount: Object.keys(errors).length,
    update,
    submitted,
  };
}

/** Why the form could not be sent, if the reason belongs to no field. */
export function FormProblem({ children }: { children: string | undefined }) {
  return children ? <Notice tone="bad" title={children} /> : null;
}

export function FormActions({
  label,
  busy,
  children,
}: {
  label: string;
  busy: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-3">
      <Button type="submit" busy={busy} className="grow product:grow-0">
        {label}
      </Button>
      {children}
    </div>
  );
}

export const formClass = 'flex max-w-form flex-col gap-5';

export function FormSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-5">
      <h2 id={heading} className="text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}
