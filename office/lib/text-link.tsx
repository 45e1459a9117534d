import type { ComponentProps } from 'react';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';

/** A link that stands by itself, with room for a finger. */
export function TextLink({ className, ...rest }: ComponentProps<typeof Link>) {
  return (
    <Link {...rest} className={cx('inline-flex min-h-11 items-center text-action underline underline-offset-4', className)} />
  );
}
