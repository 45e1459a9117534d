import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { FormProblem, type useForm } from '#ui/form.tsx';

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
