/** All that happened to an order, with when and who. */
import { didText, fieldText, reasonText, valueText } from '#contract/staff/messages.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useOffice } from '../../lib/me.tsx';

type Event = OrderSheet['events'][number];

export function Timeline({ sheet: { events, order } }: { sheet: OrderSheet }) {
  const { locale } = useOffice();
  return (
    <ol className="flex flex-col gap-3 border-line border-l-2 pl-5">
      {events.map((event) => (
        <li key={event.id}>
          <EventText event={event} currency={order.bill.currency} />
          <time className="block text-ink-soft text-sm" dateTime={new Date(event.at).toISOString()}>
            {formatDate(event.at, locale, order.timeZone, 'dateTime')}
          </time>
        </li>
      ))}
    </ol>
  );
}

function EventText({ event: { what }, currency }: { event: Event; currency: string }) {
  const { t, locale } = useOffice();
  if (what.kind === 'state')
    return (
      <p>
        <span className="inline-block font-semibold first-letter:uppercase">{t(`orders.state.${what.state}`)}</span>
        {what.reason && <span className="text-ink-soft"> · {reasonText(t, what.reason)}</span>}
      </p>
    );
  // The entries about states say them already, and a note says nothing of itself.
  const said = (what.fields ?? []).filter(({ field, to }) => field !== 'state' && to !== undefined);
  const money = (cents: number) => formatMoney(cents, locale, currency);
  return (
    <p>
      <span className="font-semibold">{didText(t, what.action)}</span>
      {said.map(({ field, to }) => ` · ${fieldText(t, field)} ${valueText(t, field, to, money)}`)}
      <span className="text-ink-soft">
        {' '}
        · {what.actor === 'staff' ? what.by || t('office.formerStaff') : t(`journal.by.${what.actor}`)}
      </span>
    </p>
  );
}
