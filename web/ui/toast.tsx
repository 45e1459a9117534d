import { useAutoClose } from './auto-close.ts';
import { cx } from './cx.ts';
import { Notice, type NoticeProps } from './notice.tsx';

const toastClass =
  'fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] z-40 mx-auto w-fit max-w-[30rem] animate-[rise_var(--motion-slow)_var(--ease-out)] shadow-over print:hidden';

/** A notice over the page that disappears by itself (SPEC §9: after 2000 ms, longer while it is hovered or focused). */
export function Toast({ onClose, ...notice }: NoticeProps & { onClose: () => void }) {
  const hold = useAutoClose(onClose);
  return <Notice {...notice} {...hold} onClose={onClose} className={cx(toastClass, notice.className)} />;
}
