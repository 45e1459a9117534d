/** Where a SKU is, and every change of its units since the beginning, in words. */
import { useParams } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';
import type { StockLedger, StockMovement } from '#contract/staff/stock.ts';
import { cx } from '#ui/cx.ts';
import { formatDate } from '#ui/format.ts';
import { Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { afterOf, MoreButton, useFilters, usePages } from '../../lib/lists.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { skuLine } from '../../lib/sku-line.ts';
import { usePlaceName, usePlaces } from './places.tsx';
import { OwnLow } from './thresholds.tsx';

export default function Ledger() {
  const { t, call } = useOffice();
  const { sku = '' } = useParams({ strict: false }) as { sku?: string };
  const places = usePlaces();
  const [{ place: chosen }, change] = useFilters();
  const place = places.find(({ value }) => value === chosen)?.value;
  const list = usePages(
    ['stock-of', sku, place],
    (from) =>
      call('stockLedger', { params: { sku }, query: { ...(place === undefined ? {} : { place }), ...from } }),
    afterOf,
  );
  const item = list.pages[0];
  const movements = list.pages.flatMap((page) => page.movements);
  return (
    <div className="flex max-w-room flex-col gap-8">
      <Head sku={sku} item={item} place={place} />
      <Problem error={list.error} />
      {item && <Levels item={item} />}
      <section className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end justify-between gap-4">
          <h2 className="text-xl">{t('office.stock.history')}</h2>
          {places.length > 1 && (
            <Select
              className="w-64"
              label={t('office.stock.place')}
              options={[{ value: '', label: t('office.stock.inAll') }, ...places]}
              value={place ?? ''}
              onChange={(event) => change({ place: event.target.value })}
            />
          )}
        </div>
        {item && <Sum item={item} place={place} total={movements[0]?.left ?? 0} />}
        <ul className="divide-y divide-line border-line border-y empty:hidden">
          {movements.map((movement) => (
            <Movement key={movement.id} movement={movement} withPlace={place === undefined} />
          ))}
        </ul>
        {list.isKnown && movements.length === 0 && <p>{t('office.stock.noHistory')}</p>}
        <MoreButton list={list} label={t('office.stock.more')} />
      </section>
    </div>
  );
}

function Head({
  sku,
  item,
  place,
}: {
  sku: string;
  item: StockLedger | undefined;
  place: string | undefined;
}) {
  const { t, locale } = useLanguage();
  return (
    <header className="flex flex-col gap-1">
      <Link
        className="inline-flex min-h-11 items-center underline"
        href={`/office/stock${place ? `?place=${encodeURIComponent(place)}` : ''}`}
      >
        {t('office.take.back')}
      </Link>
      <h1 className="break-words text-2xl">{item ? inLocale(item.name, locale) : sku}</h1>
      <p className="break-words text-ink-soft">{item ? skuLine(item, locale) : sku}</p>
    </header>
  );
}

function Levels({ item }: { item: StockLedger }) {
  const { t } = useLanguage();
  const nameOf = usePlaceName();
  const mayAdjust = useMe().may.includes('stock.adjust');
  const usual = item.places.find(({ ownLow }) => !ownLow)?.low ?? null;
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-xl">{t('office.stock.levels')}</h2>
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {item.places.map(({ place, units, held, low, ownLow }) => (
          <li key={place} className="flex flex-col gap-1 py-3">
            <p className="flex flex-wrap items-baseline justify-between gap-x-6">
              <span className="font-semibold">{nameOf(place)}</span>
              <span className={cx('text-sm', units <= low && 'font-semibold text-amber')}>
                {units <= low && `${t('office.stock.low')} · `}
                {t('office.stock.for', { units })}
                {held > 0 && ` · ${t('office.stock.held', { units: held })}`}
              </span>
            </p>
            {mayAdjust && (
              <details>
                <summary className="flex min-h-11 cursor-pointer items-center text-sm underline">
                  {t('office.stock.lowFrom')}: {low < 0 ? t('office.stock.lowNever') : low}
                </summary>
                <OwnLow place={place} sku={item.sku} low={low} ownLow={ownLow} usual={usual} />
              </details>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** That the changes add up to what is there. */
function Sum({ item, place, total }: { item: StockLedger; place: string | undefined; total: number }) {
  const { t } = useLanguage();
  const of = item.places.filter((each) => place === undefined || each.place === place);
  const sale = of.reduce((sum, { units }) => sum + units, 0);
  const held = of.reduce((sum, each) => sum + each.held, 0);
  return <p className="text-ink-soft">{t('office.stock.sum', { units: total, sale, held })}</p>;
}

function Movement({ movement, withPlace }: { movement: StockMovement; withPlace: boolean }) {
  const { t, locale, may, shop } = useOffice();
  const nameOf = usePlaceName();
  const { quantity, left, place, note, orderNumber, person, byTerminal, at } = movement;
  const order = orderNumber && t('office.stock.order', { number: orderNumber });
  const by = person ?? (byTerminal ? t('office.stock.byTerminal') : null);
  return (
    <li className="grid grid-cols-[3.5rem_1fr_auto] items-baseline gap-x-4 gap-y-1 py-3">
      <span className="font-semibold tabular-nums">{quantity > 0 ? `+${quantity}` : `−${-quantity}`}</span>
      <span className="min-w-0 break-words">
        {wordsOf(t, movement, nameOf)}
        {note && `: ${note}`}
        {order && ' · '}
        {order &&
          (may.includes('orders.read') ? (
            <Link className="underline" href={`/office/orders/${encodeURIComponent(orderNumber)}`}>
              {order}
            </Link>
          ) : (
            order
          ))}
        <span className="block text-ink-soft text-sm">
          {[formatDate(at, locale, shop.timeZone, 'dateTime'), withPlace && nameOf(place), by]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="text-ink-soft text-sm tabular-nums">
        {t('office.stock.leftAfter', { units: left })}
      </span>
    </li>
  );
}

function wordsOf(
  t: StaffTranslate,
  { kind, reason, quantity, other }: StockMovement,
  nameOf: (place: string) => string,
): string {
  if (kind === 'correction') return t(`office.stock.did.${reason ?? 'other'}`);
  if (kind !== 'transfer') return t(`office.stock.did.${kind}`);
  if (other === null) return t('office.stock.did.transfer');
  return t(quantity > 0 ? 'office.stock.did.transferFrom' : 'office.stock.did.transferTo', {
    place: nameOf(other),
  });
}
