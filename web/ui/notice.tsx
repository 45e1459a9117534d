import type { ComponentProps, ReactNode } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { useAutoClose } from './auto-close.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';

type Tone = 'info' | 'good' | 'bad';
const noticeClass =
  'flex items-start gap-3 rounded-md px-4 py-3.5 text-ink leading-[1.45] print:break-inside-avoid print:border print:border-line';
const surfaces = { info: 'bg-surface-inset', good: 'bg-action-tint', bad: 'bg-clay-tint' };
const marks = { info: 'mt-[0.05em]', good: 'mt-[0.05em] text-action', bad: 'mt-[0.05em] text-clay' };
/** The cross stands on the axis of the first line, however large fingers need its button. */
const crossClass = '-mr-2 my-[calc((1lh-2rem)/2)] pointer-coarse:my-[calc((1lh-2.75rem)/2)]';
const toastClass =
  'fixed inset-x-4 bottom-[calc(1rem+env(safe-area-inset-bottom))] z-40 mx-auto w-fit max-w-120 animate-rise shadow-over print:hidden';
const icons: Record<Tone, IconName> = { info: 'info', good: 'check', bad: 'warning' };

export interface NoticeProps extends Omit<ComponentProps<'div'>, 'title' | 'role'> {
  /** `bad` is read at once and asks for a remedy; the others are read when the reader is free. */
  tone?: Tone;
  icon?: IconName;
  title?: ReactNode;
  children?: ReactNode;
  onClose?: (() => void) | undefined;
  /** It was there from the start and is not news: no announcement. */
  silent?: boolean;
}

/** A message in the page. */
export function Notice({ tone = 'info', icon, title, children, onClose, silent, className, ...rest }: NoticeProps) {
  const t = useT();
  const role = silent ? undefined : tone === 'bad' ? 'alert' : 'status';
  return (
    <div {...rest} className={cx(noticeClass, surfaces[tone], className)} role={role}>
      <Icon name={icon ?? icons[tone]} size={22} className={marks[tone]} />
      <div className="min-w-0 flex-1 text-pretty">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {onClose && <IconButton icon="close" size="small" label={t('ui.notice.close')} className={crossClass} onClick={onClose} />}
    </div>
  );
}

/** A notice over the page that goes by itself (SPEC §9: after 2000 ms, longer while it is read or focused). */
export function Toast({ onClose, ...notice }: NoticeProps & { onClose: () => void }) {
  const hold = useAutoClose(onClose);
  return <Notice {...notice} {...hold} onClose={onClose} className={cx(toastClass, notice.className)} data-toast />;
}
