import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';

export interface DialogProps {
  open: boolean;
  /** Asked for by Esc, the close button, a press beside the dialog. The owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons under the content. */
  actions?: ReactNode;
  /** `alertdialog` interrupts: it has no close button and stays until one of its actions is taken (Esc still closes it). */
  role?: 'dialog' | 'alertdialog';
  className?: string;
}

/**
 * A window over the page. The browser's own modal dialog: it keeps the page behind inert, focus inside,
 * and gives it back to where it was.
 */
export function Dialog({ open, onClose, title, children, actions, role = 'dialog', className }: DialogProps) {
  const t = useT();
  const heading = useId();
  const modal = useModal(open, onClose, role === 'dialog');
  return (
    <dialog {...modal} className={cx('dialog', className)} role={role} aria-labelledby={heading}>
      {open && (
        <div className="dialog-body">
          <header className="dialog-head">
            <h2 id={heading} tabIndex={-1}>
              {title}
            </h2>
            {role === 'dialog' && <IconButton icon="close" label={t('ui.close')} onClick={onClose} />}
          </header>
          {children}
          {actions && <footer className="dialog-actions">{actions}</footer>}
        </div>
      )}
    </dialog>
  );
}

/**
 * The props that make a `<dialog>` follow `open`. Its content is there only while it is open, so a
 * closed one costs nothing on the server.
 */
export function useModal(open: boolean, onClose: () => void, closeOutside = true) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return {
    ref,
    onCancel: (event: SyntheticEvent) => {
      event.preventDefault();
      onClose();
    },
    // A press on the backdrop arrives as one on the dialog itself, never on what is in it.
    onClick: (event: SyntheticEvent) => {
      if (closeOutside && event.target === event.currentTarget) onClose();
    },
  };
}
