import type { ComponentProps } from 'react';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';

const look = 'inline-flex min-h-11 items-center self-start text-action underline underline-offset-4';

/** A link that stands by itself, with room for a finger. */
export const TextLink = ({ className, ...rest }: ComponentProps<typeof Link>) => (
  <Link {...rest} className={cx(look, className)} />
);
