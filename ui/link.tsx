import { Link as RouterLink } from '@tanstack/react-router';
import type { ComponentProps, ComponentType, ReactNode } from 'react';

/** SPEC §2: links starting with http are external, others internal. */
export function isExternal(link: string): boolean {
  return /^(https?:|mailto:|tel:)/i.test(link);
}

/** Whether a path of the shop is not a page: a feed, a sitemap, an image, a call. */
export function isFile(href: string): boolean {
  return /^\/(media|api)\/|\.(xml|txt|json)$/.test(href.split(/[?#]/, 1)[0] ?? '');
}

type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** An address from `urls`, or one that a merchant wrote. Addresses that start with http leave the shop. */
  href: string;
  children?: ReactNode;
  keepScroll?: boolean | undefined;
  replace?: boolean | undefined;
  /** The link is to the current page whatever its filters are, for menus. */
  anySearch?: boolean;
};

/** The router accepts a full address as `href`, although its types require `to`, a typed route. */
const Anchor = RouterLink as unknown as ComponentType<
  ComponentProps<'a'> & { activeOptions: object; resetScroll?: boolean; replace?: boolean }
>;

/** The shop's only link component: internal links navigate within the page and carry its language. */
export function Link({ href, keepScroll, replace, anySearch = false, ...rest }: LinkProps) {
  if (isExternal(href)) return <a href={href} rel="noopener" {...rest} />;
  // The browser handles anchors on this page and files; the router does not.
  if (href.startsWith('#') || isFile(href)) return <a href={href} {...rest} />;
  return (
    <Anchor
      href={href}
      {...rest}
      activeOptions={{ exact: true, includeSearch: !anySearch }}
      {...(keepScroll ? { resetScroll: false } : {})}
      {...(replace ? { replace } : {})}
    />
  );
}
