import { Link as RouterLink } from '@tanstack/react-router';
import type { ComponentProps, ComponentType, ReactNode } from 'react';
import { isExternal, isFile } from './urls.ts';

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** An address from `urls`, or one a merchant wrote. Addresses starting with http leave the shop. */
  href: string;
  children?: ReactNode;
  /** Stay where the page is scrolled to, for filters and the like. */
  keepScroll?: boolean | undefined;
  replace?: boolean | undefined;
};

/** The router takes a whole address as `href`; its types ask for `to`, the form with a typed route, all the same. */
const Anchor = RouterLink as unknown as ComponentType<
  ComponentProps<'a'> & { activeOptions: object; resetScroll?: boolean; replace?: boolean }
>;

/** The only link of the shop: internal ones navigate in the page and carry its language. */
export function Link({ href, keepScroll, replace, ...rest }: LinkProps) {
  if (isExternal(href)) return <a href={href} rel="noopener" {...rest} />;
  // A place on this page, or a file: the browser's business, not the router's.
  if (href.startsWith('#') || isFile(href)) return <a href={href} {...rest} />;
  return (
    <Anchor
      href={href}
      {...rest}
      activeOptions={{ exact: true, includeSearch: true }}
      {...(keepScroll ? { resetScroll: false } : {})}
      {...(replace ? { replace } : {})}
    />
  );
}
