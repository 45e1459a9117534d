/** What stock was worth at the end of a day, and what the goods cost that were sold in the days before, by a moving average. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import { averageCost, type CostFigure, knownAmount, unknownOf } from '#contract/staff/stock-figures.ts';
import type { StockValue, ValuedSku } from '#contract/staff/stock-value.ts';
import { ApiError } from '#ui/errors.ts';
import { formatCalendarDay, formatMoney, formatNumber } from '#ui/format.ts';
import { Link } from '#ui/link.tsx';
import { KeyFigures } from '../../lib/key-figures.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Scrolled } from '../../lib/scrolled.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { skuLine } from '../../lib/sku-line.ts';
import { tableClass } from './figures.tsx';
import { BooksFrame } from './frame.tsx';
import { SavePage } from './save-books.tsx';
import { PaperHead, SpanBar, useSpan } from './span.tsx';

export default function StockValuePage() {
  const { t, call, stores } = useOffice();
  const [{ from, to }, change] = useSpan('month');
  const isOfShop = stores === null;
  const { data, error } = useQuery({
    queryKey: ['books-stock', from, to],
    queryFn: () => call('stockValue', { query: { from, to } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    enabled: isOfShop,
  });
  const fieldErrors = error instanceof ApiError ? error.body.errors : undefined;
  if (!isOfShop)
    return (
      <BooksFrame page="/stock">
        <p>{t('office.stockValue.ofShop')}</p>
      </BooksFrame>
    );
  return (
    <BooksFrame
      page="/stock"
      aside={data && <SavePage load={(form) => call('stockValueFile', { body: { from, to, form } })} />}
    >
      <PaperHead title={t('office.books.stock')} span={{ from, to, store: '' }} />
      <SpanBar span={{ from, to, store: '' }} errors={fieldErrors} onChange={change} ofShop />
      <p className="max-w-[48rem] text-ink-soft">{t('office.stockValue.hint')}</p>
      <Problem error={!fieldErrors && error} />
      {data && !error && data.skus.length === 0 && (
        <p className="text-ink-soft">{t('office.stockValue.none')}</p>
      )}
      {data && !error && data.skus.length > 0 && <Value value={data} />}
    </BooksFrame>
  );
}

/** In the order in which they add up. */
const figures = ['before', 'received', 'cost', 'lost', 'value'] as const satisfies readonly CostFigure[];

function Value({ value }: { value: StockValue }) {
  const { t, locale } = useOffice();
  const { from, to, totals, skusUnknown, more } = value;
  const day = (text: string) => formatCalendarDay(text, locale, 'date');
  return (
    <>
      <KeyFigures
        figures={figures.map((name) => ({
          name: t(`office.stockValue.${name}`),
          note: name === 'before' ? day(from) : name === 'value' ? day(to) : undefined,
          value: <Amount of={totals} name={name} currency={value.currency} isSum />,
        }))}
      />
      {skusUnknown > 0 && (
        <p className="max-w-[48rem]">{t('office.stockValue.skusUnknown', { count: skusUnknown })}</p>
      )}
      <Skus value={value} />
      {more > 0 && <p className="text-ink-soft">{t('office.stockValue.more', { count: more })}</p>}
    </>
  );
}

interface AmountProps {
  of: StockValue['totals'];
  name: CostFigure;
  currency: string;
  isSum?: boolean;
}

/** An amount, with the number of units that it leaves out because their cost is unknown. If the amount is unknown, only sums show that number. */
function Amount({ of, name, currency, isSum }: AmountProps) {
  const { t, locale } = useOffice();
  const known = knownAmount(of, name);
  const left = of[unknownOf[name]];
  return (
    <>
      {known === null ? (
        <span className="text-ink-soft">{t('office.stockValue.notKnown')}</span>
      ) : (
        <span className={known === 0 && !isSum ? 'text-ink-soft' : undefined}>
          {formatMoney(known, locale, currency)}
        </span>
      )}
      {left !== 0 && (known !== null || isSum) && (
        <span className="block whitespace-normal font-normal text-ink-soft text-sm [td_&]:min-w-32">
          {t('office.stockValue.without', { count: left })}
        </span>
      )}
    </>
  );
}

function Skus({ value: { skus, currency } }: { value: StockValue }) {
  const { t, locale } = useOffice();
  const heads = [
    ...([
      t('office.stockValue.product'),
      t('office.stockValue.units'),
      t('office.stockValue.average'),
    ] as const),
    ...([
      t('office.stockValue.value'),
      t('office.stockValue.received'),
      t('office.stockValue.sold'),
    ] as const),
    ...([t('office.stockValue.cost'), t('office.stockValue.lost')] as const),
  ];
  return (
    <Scrolled label={t('office.stockValue.skus')}>
      <table className={`${tableClass} [&_td]:align-top`}>
        <caption className="pb-2 text-left font-semibold text-lg">{t('office.stockValue.skus')}</caption>
        <thead className="text-ink-soft text-sm">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="text-left align-bottom font-semibold">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {skus.map((sku) => {
            const average = averageCost(sku);
            return (
              <tr key={sku.sku}>
                <th scope="row" className="min-w-44 text-left font-normal">
                  <Name sku={sku} />
                </th>
                <td>{formatNumber(sku.units, locale)}</td>
                <td>{average === null ? '–' : formatMoney(Math.round(average), locale, currency)}</td>
                {(['value', 'received'] as const).map((name) => (
                  <td key={name}>
                    <Amount of={sku} name={name} currency={currency} />
                  </td>
                ))}
                <td>{formatNumber(sku.sold, locale)}</td>
                {(['cost', 'lost'] as const).map((name) => (
                  <td key={name}>
                    <Amount of={sku} name={name} currency={currency} />
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </Scrolled>
  );
}

/** Links to the movements of the SKU for staff who may see them. */
function Name({ sku: { sku, name, optionContent } }: { sku: ValuedSku }) {
  const { locale, may } = useOffice();
  const title = name === null ? sku : inLocale(name, locale);
  return (
    <>
      {may.includes('stock.count') ? (
        <Link
          href={`/office/stock/${encodeURIComponent(sku)}`}
          className="inline-flex min-h-8 items-center text-action underline underline-offset-4"
        >
          {title}
        </Link>
      ) : (
        title
      )}
      <span className="block text-ink-soft text-sm">
        {name !== null && skuLine({ sku, optionContent }, locale)}
      </span>
    </>
  );
}
