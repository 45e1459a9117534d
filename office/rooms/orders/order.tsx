import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Order } from '#contract/schemas/order.ts';
import { wayText } from '#contract/staff/messages.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { formatDate, formatMoney } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { StepsOf } from '../desk/desk.tsx';
import { ChangeDialog } from './change.tsx';
import { ChangeEmail, Mails, Notes, Timeline } from './history.tsx';
import { RefundDialog, TakeDialog } from './money.tsx';
import { addressLines, Blocks, Lines, Part, PlaceText, Reach, StateBadge } from './order-parts.tsx';
import { Shipments } from './shipments.tsx';

/** Before an order leaves the shop, or ends. */
const changeable: readonly Order['state'][] = ['placed', 'reserved', 'ready'];

export default function OrderPage() {
  const { number = '' } = useParams({ strict: false }) as { number?: string };
  const { t, call } = useOffice();
  const { data, error } = useQuery({ queryKey: ['order', number], queryFn: () => call('order', { params: { number } }) });
  return (
    <div className="flex flex-col gap-6">
      <p className="flex flex-wrap gap-x-6 text-sm">
        <TextLink href="/office/orders">{t('office.orders')}</TextLink>
        <TextLink href={`/office/orders/print?numbers=${encodeURIComponent(number)}`}>{t('office.papers.slip')}</TextLink>
      </p>
      <Problem error={error} />
      {data && <Sheet sheet={data} />}
    </div>
  );
}

function Sheet({ sheet }: { sheet: OrderSheet }) {
  const { t, locale, may } = useOffice();
  const { order, customer } = sheet;
  const { orderNumber, placedAt, timeZone, state, method, bill, due = 0 } = order;
  const isImported = orderNumber?.startsWith('#') ?? false;
  return (
    <>
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-2xl">{orderNumber}</h1>
        <StateBadge state={state} isPartlyShipped={state === 'placed' && (order.shipments ?? []).length > 0} />
        {due > 0 && (
          <span className="font-semibold text-clay">
            {t('office.orders.due', { amount: formatMoney(due, locale, bill.currency) })}
          </span>
        )}
        <p className="w-full text-ink-soft">{placedAt !== null && formatDate(placedAt, locale, timeZone, 'dateTime')}</p>
        {isImported && <p className="w-full text-ink-soft">{t('office.order.imported')}</p>}
      </header>
      {!isImported && <StepsOf number={orderNumber ?? ''} />}
      <div className="grid items-start gap-x-10 gap-y-8 wide:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-8">
          <Part title={t('office.order.lines')}>
            <ChangeableLines sheet={sheet} />
          </Part>
          <Parcels sheet={sheet} />
          {!isImported && (
            <Part title={t('office.order.payments')}>
              <Payments sheet={sheet} />
              <MoneyButtons sheet={sheet} />
            </Part>
          )}
          <Part title={t('office.order.timeline')}>
            <Timeline sheet={sheet} />
          </Part>
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Part title={t('office.order.delivery')}>
            <p>
              <PlaceText
                order={{ method, store: order.localStoreName, table: order.tableNumber, pickupAt: order.pickupDate, timeZone }}
              />
            </p>
            <People order={order} />
            <Agent number={orderNumber ?? ''} />
            {customer !== null && may.includes('customers.read') && (
              <TextLink href={`/office/customers/${customer}`}>{t('office.customers.open')}</TextLink>
            )}
          </Part>
          <Part title={t('office.order.notes')}>
            <OrderNotes sheet={sheet} />
          </Part>
          <Part title={t('office.order.mails')}>
            <Mails sheet={sheet} />
          </Part>
        </div>
      </div>
    </>
  );
}

/** The program that brought it, if one did. */
function Agent({ number }: { number: string }) {
  const { t, call } = useOffice();
  const { data } = useQuery({ queryKey: ['agentOfOrder', number], queryFn: () => call('agentOfOrder', { params: { number } }) });
  if (!data?.profile) return null;
  return <p className="break-words">{t('office.order.agent', { agent: new URL(data.profile).host })}</p>;
}

function OrderNotes({ sheet: { order, notes } }: { sheet: OrderSheet }) {
  const { may, call } = useOffice();
  const number = order.orderNumber ?? '';
  return (
    <Notes
      notes={notes}
      mayWrite={may.includes('orders.note')}
      about={['order', number]}
      send={(body) => call('noteOrder', { params: { number }, body })}
    />
  );
}

function Parcels({ sheet: { order, unsent } }: { sheet: OrderSheet }) {
  const { t } = useOffice();
  if (order.method !== 'shipping' || !(order.state === 'placed' || order.shipments)) return null;
  return (
    <Part title={t('office.ship')}>
      <Shipments order={order} unsent={unsent} />
    </Part>
  );
}

function ChangeableLines({ sheet }: { sheet: OrderSheet }) {
  const { t, may } = useOffice();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Lines order={sheet.order} />
      {may.includes('orders.move') && changeable.includes(sheet.order.state) && (
        <Button label={t('office.change.title')} variant="secondary" className="self-start" onClick={() => setOpen(true)} />
      )}
      {open && <ChangeDialog sheet={sheet} onClose={() => setOpen(false)} />}
    </>
  );
}

function MoneyButtons({ sheet }: { sheet: OrderSheet }) {
  const { t, may } = useOffice();
  const [open, setOpen] = useState<'refund' | 'take'>();
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap gap-3">
      {may.includes('orders.refund') && sheet.refundable.most > 0 && (
        <Button label={t('office.refund.title')} variant="secondary" onClick={() => setOpen('refund')} />
      )}
      {may.includes('orders.move') && (sheet.order.due ?? 0) > 0 && (
        <Button label={t('office.take.title')} variant="secondary" onClick={() => setOpen('take')} />
      )}
      {open === 'refund' && <RefundDialog sheet={sheet} onClose={close} />}
      {open === 'take' && <TakeDialog order={sheet.order} onClose={close} />}
    </div>
  );
}

function Payments({ sheet: { order, payments, refunds, disputes } }: { sheet: OrderSheet }) {
  const { t, locale } = useOffice();
  const { bill, timeZone } = order;
  const money = (cents: number) => formatMoney(cents, locale, bill.currency);
  const time = (at: number) => formatDate(at, locale, timeZone, 'dateTime');
  if (payments.length === 0) return <p className="text-ink-soft">{t('office.order.noPayments')}</p>;
  return (
    <ul className="divide-y divide-line border-line border-y">
      {payments.map((payment) => (
        <li key={payment.id} className="flex flex-col gap-1 py-3">
          <p className="flex flex-wrap justify-between gap-x-4">
            <span>
              <span className="font-semibold">
                {payment.kind ? t(`office.order.by.${payment.kind}`) : wayText(t, payment.provider)} ·{' '}
                {t(`office.order.payment.${payment.state}`)}
              </span>
              {payment.tip > 0 && (
                <span className="text-ink-soft"> · {t('office.order.tipOf', { amount: money(payment.tip) })}</span>
              )}
            </span>
            <span className="tabular-nums">{money(payment.amount)}</span>
          </p>
          <p className="text-ink-soft text-sm">
            {time(payment.at)}
            {' · '}
            {payment.url ? (
              <Link href={payment.url} className="break-all underline underline-offset-4" target="_blank">
                {payment.providerId}
              </Link>
            ) : (
              <span className="break-all">{payment.providerId}</span>
            )}
          </p>
          {payment.problem && <p className="text-clay text-sm">{payment.problem}</p>}
          {refunds
            .filter((refund) => refund.payment === payment.id)
            .map((refund) => (
              <p key={refund.id} className="flex flex-wrap justify-between gap-x-4 text-sm">
                <span>
                  {t(`office.order.refund.${refund.state}`)} · {time(refund.at)}
                  {refund.reason && <span className="text-ink-soft"> · {refund.reason}</span>}
                </span>
                <span className="tabular-nums">{money(-refund.amount)}</span>
              </p>
            ))}
        </li>
      ))}
      {disputes.map((dispute) => (
        <li key={dispute.id} className="flex flex-wrap justify-between gap-x-4 py-3 text-clay">
          <span>{t('office.order.dispute', { id: dispute.id, state: dispute.state })}</span>
          <span className="tabular-nums">{money(dispute.amount)}</span>
        </li>
      ))}
    </ul>
  );
}

function People({ order }: { order: Order }) {
  const { t, may } = useOffice();
  const { orderNumber, orderContact: contact, shippingContact, shippingAddress: address, customerComment, partySize } = order;
  return (
    <div className="flex flex-col gap-3">
      {partySize !== undefined && <p>{t('office.order.people', { count: partySize })}</p>}
      {contact && (
        <address className="flex flex-col not-italic">
          <span className="font-semibold">{[contact.firstName, contact.lastName].filter(Boolean).join(' ')}</span>
          <Reach email={contact.email} phone={contact.phoneNumber} />
          {may.includes('orders.move') && <ChangeEmail number={orderNumber ?? ''} email={contact.email} />}
        </address>
      )}
      {address && (
        <address className="not-italic">
          {shippingContact && <span className="block">{[shippingContact.firstName, shippingContact.lastName].join(' ')}</span>}
          <Blocks texts={addressLines(address)} />
        </address>
      )}
      {customerComment && (
        <p className="rounded-md bg-surface-inset p-3">
          <span className="block text-ink-soft text-sm">{t('office.order.comment')}</span>
          {customerComment}
        </p>
      )}
    </div>
  );
}
