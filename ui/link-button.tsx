import type { ReactNode } from 'react';
import { ButtonLabel, type ButtonLook, buttonClass } from '#ui/button.tsx';
import { Link } from '#ui/link.tsx';
import type { IconName } from './icon.tsx';

export interface LinkButtonProps extends ButtonLook, Omit<Parameters<typeof Link>[0], 'className' | 'children'> {
  icon?: IconName;
  children: ReactNode;
}

/** A link that looks like a button: it navigates. `href` is from `urls`, or one that a merchant wrote. */
export function LinkButton({ variant, size, wide, className, icon, children, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, size, wide, className })}>
      <ButtonLabel icon={icon}>{children}</ButtonLabel>
    </Link>
  );
}
