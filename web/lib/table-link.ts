/** `/drinks?store=…&table=7` opens the menu of that table. On the server only: it comes from a card, and no link within the shop has it. */
import { redirect } from '@tanstack/react-router';
import { stringifyPlainSearch } from './urls.ts';

export function redirectToTable(menu: string, search: object): void {
  const { store, table } = search as Record<string, unknown>;
  if (typeof store !== 'string' || (typeof table !== 'string' && typeof table !== 'number')) return;
  throw redirect({
    href: `/table/${encodeURIComponent(menu)}${stringifyPlainSearch({ store, table })}`,
    statusCode: 302,
    replace: true,
  });
}
