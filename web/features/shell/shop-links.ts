import { urls } from '#web/lib/urls.ts';

/** What stands in the menu after the categories. */
export const shopLinks = [
  { key: 'shell.menu.brands', href: urls.brands() },
  { key: 'shell.menu.clearance', href: urls.clearance() },
] as const;
