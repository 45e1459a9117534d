import { type ReactNode, useId } from 'react';
import { cx } from './cx.ts';
import { ModalHead } from './dialog.tsx';
import { useModal } from './modal.ts';

export interface DrawerProps {
  open: boolean;
  /** Called on Esc, the close button, and a press beside the drawer. The owner sets `open` to false. */
  onClose: () => void;
  title: ReactNode;
  /** The edge it slides from: `start` for the menu, `end` for the cart and filters. */
  side?: 'start' | 'end';
  children: ReactNode;
  /** Fixed at its lower edge, below the scrolling content. */
  foot?: ReactNode;
  className?: string;
}

/** A panel that slides in from a side. It traps focus while it is open and restores it afterwards. */
export function Drawer({ open, onClose, title, side = 'end', children, foot, className }: DrawerProps) {
  const heading = useId();
  const modal = useModal(open, onClose);
  return (
    <dialog {...modal} className={cx('modal drawer', side === 'start' && 'drawer-start', className)} aria-labelledby={heading}>
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
