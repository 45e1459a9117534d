import { type ReactNode, useId } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useModal } from './modal.ts';

export interface DialogProps {
  open: boolean;
  /** Asked for by Esc, the close button, a press beside the dialog. The owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons under the content. */
  actions?: ReactNode;
  /** `alertdialog` interrupts: no close button, and a press beside it does nothing; Esc still closes. */
  role?: 'dialog' | 'alertdialog';
  /** `full` fills the screen, for a picture. */
  width?: 'regular' | 'wide' | 'full';
  className?: string;
}

/** A window over the page. Its content may be there while it is closed; nobody sees or hears it. */
export function Dialog({ open, onClose, title, children, actions, role = 'dialog', width = 'regular', className }: DialogProps) {
  const t = useT();
  const heading = useId();
  const modal = useModal(open, onClose, role === 'dialog');
  return (
    <dialog
      {...modal}
      className={cx('dialog', width !== 'regular' && `dialog-${width}`, className)}
      role={role === 'dialog' ? undefined : role}
      aria-labelledby={title ? heading : undefined}
    >
      <div className="dialog-body">
        <div className="dialog-head">
          {/* While it is closed there may be nothing to say yet. */}
          {title && <h2 id={heading}>{title}</h2>}
          {role === 'dialog' && <IconButton icon="close" label={t('ui.close')} onClick={onClose} />}
        </div>
        {children}
        {actions && <div className="dialog-actions">{actions}</div>}
      </div>
    </dialog>
  );
}
