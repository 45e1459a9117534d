import { useId } from 'react';
import type { CustomerRow } from '#contract/staff/customers.ts';
import { formatDate } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { EmptyRoom } from '../../lib/empty-room.tsx';
import { afterOf, LoadingRows, MoreButton, SearchForm, useFilters, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';

export default function Customers() {
  const { t, may, call } = useOffice();
  const [{ text = '' }, change] = useFilters();
  const ask = (from: { after?: string }) =>
    call('customers', { query: { ...(text ? { text } : {}), ...from } });
  const list = usePages(['customers', text], ask, afterOf);
  const customers = list.pages.flatMap((page) => page.customers);
  return (
    <div className="flex max-w-room flex-col gap-6">
      <h1 className="text-2xl">{t('office.customers')}</h1>
      <search>
        <SearchForm
          label={t('office.customers.search')}
          hint={t('office.customers.searchHint')}
          text={text}
          onSearch={(wanted) => change({ text: wanted })}
        />
      </search>
      <Problem error={list.error} />
      <LoadingRows until={list.isKnown || list.error !== null} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {customers.map((customer) => (
          <Row key={customer.id} customer={customer} />
        ))}
      </ul>
      {list.isKnown &&
        customers.length === 0 &&
        !list.hasNextPage &&
        (text === '' ? (
          <EmptyRoom
            text={t('office.customers.empty')}
            step={{ label: t('office.customers.bring'), to: '/imports', needs: 'goods.import' }}
          />
        ) : (
          <p className="text-ink-soft">{t('office.customers.none')}</p>
        ))}
      {list.isKnown && text !== '' && may.includes('orders.read') && (
        <p className="text-ink-soft">
          {t('office.customers.guests')}{' '}
          <TextLink href={`/office/orders?${new URLSearchParams({ text })}`}>
            {t('office.customers.inOrders', { text })}
          </TextLink>
        </p>
      )}
      <MoreButton list={list} label={t('office.customers.more')} />
    </div>
  );
}

function Row({ customer }: { customer: CustomerRow }) {
  const { t, locale, shop } = useOffice();
  const { id, firstName, lastName, email, mobilePhone, orders, lastOrderAt, registeredAt } = customer;
  const label = useId();
  return (
    <li className="relative grid grid-cols-[1fr_auto] items-baseline gap-x-6 gap-y-1 py-3 hover:bg-surface-inset form:grid-cols-[1fr_1fr_12rem]">
      <p className="min-w-0 break-words">
        <Link
          id={label}
          href={`/office/customers/${id}`}
          className="font-semibold after:absolute after:inset-0"
        >
          {`${firstName} ${lastName}`.trim() || email}
        </Link>
        <span className="block text-ink-soft text-sm">
          {t('office.customers.since', { date: formatDate(registeredAt, locale, shop.timeZone, 'date') })}
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
            {t('office.customers.lastOrder', {
              date: formatDate(lastOrderAt, locale, shop.timeZone, 'date'),
            })}
          </span>
        )}
      </p>
    </li>
  );
}
