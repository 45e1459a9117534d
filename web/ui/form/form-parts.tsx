import type { ReactNode } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '../button.tsx';
import { FieldError } from '../field.tsx';
import { Notice } from '../notice.tsx';

/** Why the form could not be sent, if the reason belongs to no field. */
export function FormProblem({ children }: { children: string | undefined }) {
  return children ? <Notice tone="bad" title={children} /> : null;
}

/** The button that sends the form, with the content beside it. */
export function FormActions({ label, busy, children }: { label: string; busy: boolean; children?: ReactNode }) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-6 gap-y-3">
      <Button type="submit" busy={busy} className="grow product:grow-0">
        {label}
      </Button>
      {children}
    </div>
  );
}

/** One column of fields. */
export const formClass = 'flex max-w-form flex-col gap-5';

/** How many fields have errors, near the button that sends a long form. Nothing if none has. */
export function FormErrorCount({ id, count }: { id: string; count: number }) {
  const t = useT();
  return <FieldError id={id}>{count > 0 && t('checkout.errors', { count })}</FieldError>;
}
