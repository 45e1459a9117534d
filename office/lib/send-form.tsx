import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { FormProblem, type useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';

interface SendFormProps extends Omit<ComponentProps<typeof Button>, 'form'> {
  form: Pick<ReturnType<typeof useForm>, 'formProps' | 'problem' | 'busy'>;
  label: string;
  children: ReactNode;
}

/** Why the form was rejected, its fields, and the button that sends it, to which all other props go. */
export function SendForm({ form, label, children, ...button }: SendFormProps) {
  return (
    <form {...form.formProps} className="flex flex-col gap-5">
      <FormProblem>{form.problem}</FormProblem>
      {children}
      <Button label={label} type="submit" busy={form.busy} {...button} />
    </form>
  );
}

/** Why a call was rejected, or got no answer; nothing where none was. */
export function Problem({ error, onClose }: { error: unknown; onClose?: () => void }) {
  const t = useT();
  return error ? <Notice tone="bad" title={errorText(error, t)} onClose={onClose} /> : null;
}
