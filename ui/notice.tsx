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

export function Notice({
  tone = 'info',
  icon,
  title,
  children,
  onClose,
  silent,
  className,
  ...rest
}: NoticeProps) {
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
        <IconButton
          icon="close"
          size="small"
          label={t('ui.notice.close')}
          className="notice-close"
          onClick={onClose}
        />
      )}
    </div>
  );
}

interface EmptyStateProps {
  icon?: IconName;
  title: ReactNode;
  /** The page's only heading is an h1; inside a page with one it is an h2. */
  as?: 'h1' | 'h2';
  children?: ReactNode;
  /** The next step: one or two `LinkButton`s, or links in a grid. Absent if the page has none to offer. */
  actions?: ReactNode;
}

export function EmptyState({ icon, title, as: Heading = 'h2', children, actions }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-text flex-col items-center gap-4 py-section text-center">
      {icon && <Icon name={icon} size={40} className="text-ink-soft" />}
      <Heading tabIndex={Heading === 'h1' ? -1 : undefined}>{title}</Heading>
      {children && (
        <div className="wrap-break-word max-w-full text-balance break-keep text-ink-soft *:text-balance">
          {children}
        </div>
      )}
      {actions && <div className="mt-2 flex w-full flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  );
}
