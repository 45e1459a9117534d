/** Leads to an order: to its page for people who see orders, to its money for those who see the books alone. */
import type { Permission } from '#contract/staff/permissions.ts';
import { cx } from '#ui/cx.ts';
import { Link } from '#ui/link.tsx';
import { useMe } from './me.tsx';

/** The page of an order that somebody may see; null for none. */
export function orderPage(may: readonly Permission[], number: string): string | null {
  if (may.includes('orders.read')) return `/office/orders/${encodeURIComponent(number)}`;
  return may.includes('books.read') ? `/office/books/orders/${encodeURIComponent(number)}` : null;
}

export function OrderLink({ number, className }: { number: string; className?: string }) {
  const { may } = useMe();
  const page = orderPage(may, number);
  if (page === null) return number;
  return (
    <Link
      href={page}
      className={cx(
        'inline-flex min-h-8 items-center whitespace-nowrap text-action underline underline-offset-4',
        className,
      )}
    >
      {number}
    </Link>
  );
}
