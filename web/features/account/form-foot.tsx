import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Why the form could not be sent, where that belongs to no field. */
export function FormProblem({ children }: { children: string | undefined }) {
  return children ? <Notice tone="bad" title={children} /> : null;
}

/** The button that sends the form, and what stands beside it. */
export function FormFoot({ label, busy, children }: { label: string; busy: boolean; children?: ReactNode }) {
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
