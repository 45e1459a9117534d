import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useT } from './i18n.tsx';

interface DialogProps {
  open: boolean;
  /** Called on Esc, the close button, and a press beside the dialog. The owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
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

function ModalHead({
  id,
  title,
  onClose,
}: {
  id: string;
  title: ReactNode;
  onClose: (() => void) | undefined;
}) {
  const t = useT();
  return (
    <div className="flex items-center justify-between gap-4">
      {title && <h2 id={id}>{title}</h2>}
      {onClose && <IconButton icon="close" label={t('ui.close')} className="-mr-3" onClick={onClose} />}
    </div>
  );
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap-reverse justify-end gap-3 max-[30rem]:*:flex-auto">{children}</div>;
}

/** The props that make a `<dialog>` follow `open`: the browser's own modal, which holds the focus and returns it; Esc requests closing. */
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
      // A file chooser or a select inside fires the same event.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      onClose();
    },
    // The browser may close it without a request (a second Esc); the owner must know.
    onClose: (event: SyntheticEvent) => {
      if (event.target === event.currentTarget && open) onClose();
    },
    // A press on the backdrop targets the dialog itself, never its content.
    onClick: (event: SyntheticEvent) => {
      if (closeOutside && event.target === event.currentTarget) onClose();
    },
  };
}

interface DrawerProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** The edge it slides from: `start` for the menu, `end` for the cart and filters. */
  side?: 'start' | 'end';
  children: ReactNode;
  foot?: ReactNode;
  className?: string;
}

/** A panel that slides in from a side. It traps focus while it is open and restores it afterwards. */
export function Drawer({ open, onClose, title, side = 'end', children, foot, className }: DrawerProps) {
  const heading = useId();
  const modal = useModal(open, onClose);
  return (
    <dialog
      {...modal}
      className={cx('modal drawer', side === 'start' && 'drawer-start', className)}
      aria-labelledby={heading}
    >
      <div className="flex min-h-full flex-col px-5 pt-4 pb-6">
        <ModalHead id={heading} title={title} onClose={onClose} />
        {children}
        {foot && (
          <div className="sticky bottom-0 -mx-5 mt-auto -mb-6 border-line border-t bg-paper px-5 pt-4 pb-[calc(1rem+env(safe-area-inset-bottom))]">
            {foot}
          </div>
        )}
      </div>
    </dialog>
  );
}
