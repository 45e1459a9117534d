/** Holds the values and errors of a form, however it is sent. */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FieldTexts } from '#web/lib/api-errors.ts';
import { focusFirstInvalid } from '../field.tsx';

export interface FormStateOptions<V extends object> {
  /** The initial values, or a function that reads them (a stored draft). */
  initial: V | (() => V);
  /** Stores the values for this tab; called after every change. Pass a stable function. */
  saveDraft?: ((values: V) => void) | undefined;
  /** Delays focus while true, for a dialog that covers the form. */
  holdFocus?: boolean;
}

/**
 * Holds the values, the errors by field path (`contact.email`) and the focus of a form. An error disappears when its field is
 * edited. Call `submitted` after each try to send the form: focus then moves to the first field with an error.
 */
export function useFormState<V extends object>({ initial, saveDraft, holdFocus = false }: FormStateOptions<V>) {
  const ref = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initial);
  const [errors, setErrors] = useState<FieldTexts>({});
  const [submitCount, setSubmitCount] = useState(0);
  useEffect(() => saveDraft?.(values), [values, saveDraft]);
  // The errors of the last try have rendered by now.
  useEffect(() => {
    if (submitCount > 0 && !holdFocus) focusFirstInvalid(ref.current);
  }, [submitCount, holdFocus]);

  /** Removes the errors of these field paths. */
  const clearErrors = useCallback((paths: readonly string[]) => {
    setErrors((old) => Object.fromEntries(Object.entries(old).filter(([path]) => !paths.includes(path))));
  }, []);
  /** Changes values, and removes the errors of the field paths that the change concerns. */
  const update = (change: (old: V) => V, paths: readonly string[]) => {
    setValues(change);
    clearErrors(paths);
  };
  const submitted = () => setSubmitCount((count) => count + 1);

  return { ref, values, setValues, errors, setErrors, clearErrors, errorCount: Object.keys(errors).length, update, submitted };
}
