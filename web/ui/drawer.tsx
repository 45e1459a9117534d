import { type ReactNode, useId } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { useModal } from './modal.ts';

export interface DrawerProps {
  open: boolean;
  /** Asked for by Esc, the close button, a press beside the drawer. The owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  /** The edge it slides from: `start` for the menu, `end` for the cart and filters. */
  side?: 'start' | 'end';
  children: ReactNode;
  /** Stays in sight at its lower edge, above what scrolls. */
  foot?: ReactNode;
  className?: string;
}

/** A panel that slides in from a side. Focus stays in it while it is open and then goes back. */
export function Drawer({ open, onClose, title, side = 'end', children, foot, className }: DrawerProps) {
  const t = useT();
  const heading = useId();
  const modal = useModal(open, onClose);
  return (
    <dialog {...modal} className={cx('drawer', side === 'start' && 'drawer-start', className)} aria-labelledby={heading}>
      <div className="drawer-body">
        <div className="dialog-head">
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
        </div>
        {children}
        {foot && <div className="drawer-foot">{foot}</div>}
      </div>
    </dialog>
  );
}
