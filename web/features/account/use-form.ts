import { useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import type { FieldErrors } from '#contract/errors.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { ApiError } from '#web/lib/api.ts';
import { errorText, type FieldTexts, fieldErrorsOf, fieldTexts } from '#web/lib/api-errors.ts';
import { focusFirstInvalid } from '#web/ui/field.tsx';
import { noticeSignedOut } from './queries.ts';

type Values = Record<string, string | boolean>;

export interface FormOptions<V extends Values, R> {
  initial: V;
  /** The rules that the server has too. */
  check: (values: V) => FieldErrors;
  send: (values: V) => Promise<R>;
  onDone: (answer: R, values: V) => void | Promise<void>;
  /** What the server's names of fields are in this form. */
  rename?: (texts: FieldTexts) => FieldTexts;
  /** Instead of `problem`: hears of what the rules found wrong, and of refusals. */
  onWrong?: (texts: FieldTexts) => void;
  onRefused?: (error: unknown) => void;
  /** After a refusal, and before its texts are shown: what the form should then hold. */
  afterRefusal?: (values: V) => V;
  /** The field to go to after a refusal that belongs to none. */
  focusAfterRefusal?: keyof V & string;
  /** Given by forms for guests, to whom a 401 says something else than that their session has ended. */
  forGuests?: boolean;
}

/**
 * The values and errors of a form with one column of fields. Errors stand by their fields and go when
 * the field is edited; what belongs to no field is `problem`. Focus goes to the first field in error.
 */
export function useForm<V extends Values, R>(options: FormOptions<V, R>) {
  const t = useT();
  const client = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(options.initial);
  const [errors, setErrors] = useState<FieldTexts>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [attempts, setAttempts] = useState(0);
  useEffect(() => {
    if (attempts > 0) focusFirstInvalid(form.current);
  }, [attempts]);

  const change = (changes: Partial<V>) => {
    setValues((old) => ({ ...old, ...changes }));
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([field]) => !(field in changes))));
  };

  const attempt = async () => {
    const found = fieldTexts(options.check(values), t);
    setErrors(found);
    setProblem(undefined);
    if (Object.keys(found).length > 0) {
      options.onWrong?.(found);
      return;
    }
    setBusy(true);
    try {
      await options.onDone(await options.send(values), values);
    } catch (error) {
      if (!(error instanceof ApiError)) console.error(error);
      if (!options.forGuests) noticeSignedOut(client, error);
      if (options.afterRefusal) setValues(options.afterRefusal);
      options.onRefused?.(error);
      const refused = fieldErrorsOf(error);
      const fields = options.rename?.(refused) ?? refused;
      setErrors(fields);
      const elsewhere = Object.entries(fields).find(([field]) => !(field in values))?.[1];
      setProblem(Object.keys(fields).length === 0 ? errorText(error, t) : elsewhere);
      const next = options.focusAfterRefusal && form.current?.elements.namedItem(options.focusAfterRefusal);
      if (next instanceof HTMLElement) next.focus();
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) void attempt().then(() => setAttempts((count) => count + 1));
  };

  /** The props of a text field. */
  const field = <K extends keyof V & string>(name: K) => ({
    name,
    value: values[name] as V[K] & string,
    error: errors[name],
    onChange: (event: ChangeEvent<HTMLInputElement>) => change({ [name]: event.target.value } as Partial<V>),
  });

  return {
    values,
    errors,
    problem,
    busy,
    change,
    field,
    reset: setValues,
    formProps: { ref: form, noValidate: true, onSubmit: submit },
  };
}
