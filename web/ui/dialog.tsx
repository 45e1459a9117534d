import { type ReactNode, useId } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useModal } from './modal.ts';

export interface DialogProps {
  open: boolean;
  /** Called on Esc, the close button, and a press beside the dialog. The owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons under the content. */
  actions?: ReactNode;
  /** `alertdialog` interrupts: no close button, and a press beside it does nothing; Esc still closes. */
  role?: 'dialog' | 'alertdialog';
  className?: string;
}

/** A modal window. Its content may be rendered while it is closed; then it is neither visible nor exposed to screen readers. */
export function Dialog({ open, onClose, title, children, actions, role = 'dialog', className }: DialogProps) {
  const heading = useId();
  const modal = useModal(open, onClose, role === 'dialog');
  return (
    <dialog
      {...modal}
      className={cx('modal dialog', className)}
      role={role === 'dialog' ? undefined : role}
      aria-labelledby={title ? heading : undefined}
    >
      <div className="flex flex-col gap-5 px-6 pt-5 pb-6">
        <ModalHead id={heading} title={title} onClose={role === 'dialog' ? onClose : undefined} />
        {children}
        {actions && <DialogActions>{actions}</DialogActions>}
      </div>
    </dialog>
  );
}

interface ModalHeadProps {
  id: string;
  /** May be undefined while it is closed. */
  title: ReactNode;
  /** Without it there is no close button. */
  onClose: (() => void) | undefined;
}

/** The first line of a dialog or drawer: its title and a button to close it. */
export function ModalHead({ id, title, onClose }: ModalHeadProps) {
  const t = useT();
  return (
    <div className="flex items-center justify-between gap-4">
      {title && <h2 id={id}>{title}</h2>}
      {onClose && <IconButton icon="close" label={t('ui.close')} className="-mr-3" onClick={onClose} />}
    </div>
  );
}

/** The buttons at the end of a dialog. On a phone they share the width, side by side or stacked. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap-reverse justify-end gap-3 max-[30rem]:*:flex-auto">{children}</div>;
}
