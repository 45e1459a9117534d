/** The list of customers with an account. What is searched for lies in the address. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useId } from 'react';
import type { CustomerRow } from '#contract/staff/customers.ts';
import { Button } from '#ui/button.tsx';
import { formatDate } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { useFilters } from '../../lib/filters.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';
import { SearchForm } from '../../lib/search-form.tsx';

export default function Customers() {
  const { t, may, call } = useOffice();
  const [{ text = '' }, change] = useFilters();
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['customers', text],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call('customers', { query: { ...(text ? { text } : {}), ...(pageParam === undefined ? {} : { after: pageParam }) } }),
    getNextPageParam: ({ after }) => after ?? undefined,
  });
  const customers = data?.pages.flatMap((page) => page.customers) ?? [];
  return (
    <div className="flex max-w-[64rem] flex-col gap-6">
      <h1 className="text-2xl">{t('office.customers')}</h1>
      <search>
        <SearchForm
          label={t('office.customers.search')}
          hint={t('office.customers.searchHint')}
          text={text}
          onSearch={(wanted) => change({ text: wanted })}
        />
      </search>
      <Problem error={error} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {customers.map((customer) => (
          <Row key={customer.id} customer={customer} />
        ))}
      </ul>
      {data && customers.length === 0 && !hasNextPage && <p>{t('office.customers.none')}</p>}
      {data && text !== '' && may.includes('orders.read') && (
        <p className="text-ink-soft">
          {t('office.customers.guests')}{' '}
          <Link
            href={`/office/orders?${new URLSearchParams({ text })}`}
            className="inline-flex min-h-11 items-center text-action underline underline-offset-4"
          >
            {t('office.customers.inOrders', { text })}
          </Link>
        </p>
      )}
      {hasNextPage && (
        <Button variant="secondary" className="self-center" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('office.customers.more')}
        </Button>
      )}
    </div>
  );
}

function Row({ customer }: { customer: CustomerRow }) {
  const {
    t,
    locale,
    shop: { timeZone },
  } = useOffice();
  const { id, firstName, lastName, email, mobilePhone, orders, lastOrderAt, registeredAt } = customer;
  const label = useId();
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 py-3 hover:bg-surface-inset form:grid-cols-[1fr_1fr_12rem]">
      <p className="min-w-0 break-words">
        <Link id={label} href={`/office/customers/${id}`} className="font-semibold after:absolute after:inset-0">
          {`${firstName} ${lastName}`.trim() || email}
        </Link>
        <span className="block text-ink-soft text-sm">
          {t('office.customers.since', { date: formatDate(registeredAt, locale, timeZone, 'date') })}
        </span>
      </p>
      <p className="min-w-0 break-words text-sm max-form:order-3 max-form:col-span-full">
        {email}
        <span className="block text-ink-soft">{mobilePhone}</span>
      </p>
      <p className="text-right text-sm">
        {t('office.customers.orders', { count: orders })}
        {lastOrderAt !== null && (
          <span className="block text-ink-soft">
            {t('office.customers.lastOrder', { date: formatDate(lastOrderAt, locale, timeZone, 'date') })}
          </span>
        )}
      </p>
    </li>
  );
}
