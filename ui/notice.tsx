import type { ComponentProps, ReactNode } from 'react';
import { IconButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Icon, type IconName } from '#ui/icon.tsx';

type Tone = 'info' | 'good' | 'bad';
const tones = { info: null, good: 'notice-good', bad: 'notice-bad' };
const icons: Record<Tone, IconName> = { info: 'info', good: 'check', bad: 'warning' };

export interface NoticeProps extends Omit<ComponentProps<'div'>, 'title' | 'role'> {
  /** `bad` is announced at once and needs action; the others are announced after the current speech. */
  tone?: Tone;
  icon?: IconName;
  title?: ReactNode;
  children?: ReactNode;
  onClose?: (() => void) | undefined;
  /** It was there from the start and is not announced. */
  silent?: boolean;
}

export function Notice({ tone = 'info', icon, title, children, onClose, silent, className, ...rest }: NoticeProps) {
  const t = useT();
  const role = silent ? undefined : tone === 'bad' ? 'alert' : 'status';
  return (
    <div {...rest} className={cx('notice', tones[tone], className)} role={role}>
      <Icon name={icon ?? icons[tone]} size={22} />
      <div className="min-w-0 flex-1 text-pretty">
        {title && <p className="font-semibold">{title}</p>}
        {children}
      </div>
      {onClose && (
        <IconButton icon="close" size="small" label={t('ui.notice.close')} className="notice-close" onClick={onClose} />
      )}
    </div>
  );
}
