import type { LineItem, Order } from '#contract/schemas/order.ts';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { isUnderWay, orderStateLabel, statesAhead } from './order-state-label.ts';

/** A point before each step, and a line from it to the next. */
const stepClass = cx(
  'relative pb-5 pl-9 last:pb-0',
  'before:absolute before:top-[0.4em] before:left-1 before:z-1 before:size-3.5 before:rounded-full before:border-2',
  'not-last:after:absolute not-last:after:top-[1em] not-last:after:-bottom-[0.6em] not-last:after:left-[calc(0.6875rem-1px)] not-last:after:border-l-2',
);

export function OrderTimeline({ order }: { order: Order }) {
  const t = useT();
  const locale = useLocale();
  const { state, method, placedAt } = order;
  const been = order.timeline ?? (placedAt === null ? [] : [{ state, at: placedAt }]);
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <ol>
      {been.map(({ state: step, at }, index) => {
        const last = index === been.length - 1;
        return (
          <li
            key={step}
            className={cx(
              stepClass,
              last && stopped ? 'before:border-clay before:bg-clay' : 'before:border-action before:bg-action',
              last ? 'after:border-line' : 'after:border-action',
            )}
            aria-current={last ? 'step' : undefined}
          >
            <span className="block font-semibold">{t(orderStateLabel(step, method))}</span>
            <span className="block text-ink-soft text-sm">{formatDate(at, locale, order.timeZone, 'dayTime')}</span>
          </li>
        );
      })}
      {statesAhead(state, method).map((step) => (
        <li key={step} className={cx(stepClass, 'text-ink-soft before:border-edge before:bg-paper after:border-line')}>
          <span className="block">{t(orderStateLabel(step, method))}</span>
          <span className="block text-sm">{t('account.state.ahead')}</span>
        </li>
      ))}
    </ol>
  );
}

/** What was sent, and where each parcel is tracked. */
export function OrderShipments({ order: { shipments = [], lineItems, state } }: { order: Order }) {
  const t = useT();
  if (shipments.length === 0) return null;
  return (
    <div className="flex flex-col gap-4">
      {shipments.map(({ id, carrier, trackingNumber, trackingUrl, lines }) => (
        <div key={id}>
          <p className="font-semibold">{t('order.parcel')}</p>
          {lineItems.map((item) => {
            const quantity = lines.find(({ line }) => line === item.id)?.quantity;
            return (
              quantity && (
                <p key={item.id}>
                  {quantity} × {[item.productName, item.optionText].filter(Boolean).join(' · ')}
                </p>
              )
            );
          })}
          <p className="text-ink-soft text-sm">{[carrier, trackingNumber].filter(Boolean).join(' ')}</p>
          {trackingUrl && (
            <a href={trackingUrl} rel="noopener" className="link inline-flex min-h-11 items-center">
              {t('order.track')}
            </a>
          )}
        </div>
      ))}
      {state === 'placed' && <p>{t('order.parcel.more')}</p>}
    </div>
  );
}

/** The ordered pieces in a row, which the ticket lists by name. */
export function OrderPictures({ lines }: { lines: readonly LineItem[] }) {
  const shown = lines.flatMap(({ id, image }) => (image ? [{ id, image }] : []));
  if (shown.length === 0) return null;
  return (
    <div className="flex gap-3 overflow-hidden print:hidden" aria-hidden>
      {shown.slice(0, 6).map(({ id, image }) => (
        <span key={id} className="w-40 min-w-0 shrink-[0.5]">
          <Picture image={image} sizes="10rem" alt="" shape="square" />
        </span>
      ))}
    </div>
  );
}

/** The state of an order as a word with a dot, filled while the order is under way. */
export function StateLine({ state, method }: Pick<Order, 'state' | 'method'>) {
  const t = useT();
  const stopped = state === 'cancelled' || state === 'lapsed';
  return (
    <p className={cx('mt-1 flex items-center gap-2 font-medium', stopped ? 'text-clay' : 'text-action')}>
      <span aria-hidden className={cx('size-2.5 rounded-full border-2 border-current', isUnderWay(state) && 'bg-current')} />
      {t(orderStateLabel(state, method))}
    </p>
  );
}
