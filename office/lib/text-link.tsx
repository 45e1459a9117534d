import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';

const look = 'inline-flex min-h-11 items-center self-start text-action underline underline-offset-4';

/** A link that stands by itself, with room for a finger. */
export const TextLink = ({ className, ...rest }: ComponentProps<typeof Link>) => (
  <Link {...rest} className={cx(look, className)} />
);

/** To a page of the shop, beside the office. */
export function ShopLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      className="inline-flex min-h-11 items-center self-start underline"
      href={href}
      target="_blank"
      rel="noreferrer"
    >
      {children}
    </a>
  );
}

/** For links that are many on a page: one of the router's own takes a phone 6 ms. */
export function PlainLink({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  const { history } = useRouter();
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.push(href);
  };
  return <a href={href} onClick={go} {...rest} />;
}
