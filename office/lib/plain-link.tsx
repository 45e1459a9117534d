import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';

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
