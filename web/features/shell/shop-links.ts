import type { AppContent } from '#contract/schemas/shop.ts';
import { urls } from '#web/lib/urls.ts';

/** The menu's links after the categories. */
export function shopLinks({ hasBlog }: Pick<AppContent, 'hasBlog'>) {
  return [
    { key: 'shell.menu.brands', href: urls.brands() },
    { key: 'shell.menu.clearance', href: urls.clearance() },
    ...(hasBlog ? [{ key: 'shell.menu.blog', href: urls.blog() } as const] : []),
  ] as const;
}
