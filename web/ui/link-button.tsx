import type { ReactNode } from 'react';
import { Link } from '#web/lib/link.tsx';
import { type ButtonLook, buttonClass } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';

export interface LinkButtonProps extends ButtonLook, Omit<Parameters<typeof Link>[0], 'className' | 'children'> {
  icon?: IconName;
  children: ReactNode;
}

/** A link that looks like a button: it goes somewhere. `href` from `urls`, or one a merchant wrote. */
export function LinkButton({ variant, size, wide, className, icon, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide, className })}>
      <span className="btn-label">
        {icon && <Icon name={icon} size={20} />}
        {children}
      </span>
    </Link>
  );
}
