/** The papers of orders: the pick list in the staff's language, each packing slip in its order's. */
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties, ReactNode } from 'react';
import { billRows } from '#contract/bill-rows.ts';
import { inLocale, type Locale, type LocalText, locales } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Paper, PaperLine } from '#contract/staff/papers.ts';
import { translator } from '#contract/translate.ts';
import { formatDate, formatMoney } from '#ui/format.ts';
import { useOffice } from '../../lib/me.tsx';
import { addressLines } from './order.tsx';

interface PaperSize {
  size: string;
  /** Of what is printed, mm. */
  width: number;
  margin: number;
}

function Sheet({ paper: { size, width, margin }, lang, children }: { paper: PaperSize; lang: Locale; children: ReactNode }) {
  const style = { '--paper-width': width, '--paper-margin': margin } as CSSProperties;
  return (
    <article className={`paper paper-${size}`} style={style} lang={locales[lang].tag}>
      {children}
    </article>
  );
}

const shortOf = (number: string) => number.split('-').at(-1) ?? number;

function usePlaceName() {
  const { shop } = useOffice();
  return (id: string | null, locale: Locale) => {
    if (id === null) return staffTranslate(locale)('office.papers.warehouse');
    const store = shop.stores.find((each) => each.id === id);
    return store ? inLocale(store.nameContent, locale) : id;
  };
}

interface Pick {
  line: PaperLine;
  quantity: number;
  /** Numbers of orders with how many each has. */
  orders: string[];
}

/** What is to be taken at a place: each SKU with the same choices and note once. */
function picksOf(papers: readonly Paper[], locale: Locale): Pick[] {
  const picks = new Map<string, Pick>();
  for (const { number, lines } of papers)
    for (const line of lines) {
      const key = JSON.stringify([line.sku, line.modifierContent && inLocale(line.modifierContent, locale), line.note]);
      const pick = picks.get(key) ?? { line, quantity: 0, orders: [] };
      pick.quantity += line.quantity;
      pick.orders.push(line.quantity > 1 ? `${shortOf(number)} (${line.quantity})` : shortOf(number));
      picks.set(key, pick);
    }
  return [...picks.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, pick]) => pick);
}

export function PickList({ papers, paper }: { papers: readonly Paper[]; paper: PaperSize }) {
  const { t, locale, shop } = useOffice();
  const nameOf = usePlaceName();
  const places = [...Map.groupBy(papers, ({ store }) => store)];
  return (
    <Sheet paper={paper} lang={locale}>
      <header className="paper-head">
        <h2>{t('office.papers.list')}</h2>
        <p>
          {t('office.papers.orders', { count: papers.length })} · {formatDate(Date.now(), locale, shop.timeZone, 'dateTime')}
        </p>
      </header>
      {places.map(([place, ofPlace]) => (
        <section key={place}>
          <h3>{nameOf(place, locale)}</h3>
          <ul>
            {picksOf(ofPlace, locale).map(({ line, quantity, orders }) => (
              <li key={line.id}>
                <strong>{quantity} ×</strong>
                <LineText line={line} locale={locale} orders={orders.join(', ')} />
                <span aria-hidden>☐</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Sheet>
  );
}

function LineText({ line, locale, orders }: { line: PaperLine; locale: Locale; orders?: string }) {
  const { nameContent, optionContent, modifierContent, note, sku } = line;
  const choices = [optionContent, modifierContent].flatMap((text) => (text && inLocale(text, locale)) || []);
  return (
    <div>
      {inLocale(nameContent, locale)}
      {choices.map((text) => (
        <small key={text}>{text}</small>
      ))}
      {note && <strong className="block">“{note}”</strong>}
      <small>
        {sku}
        {orders && ` · ${orders}`}
      </small>
    </div>
  );
}

interface SlipProps {
  order: Paper;
  shop: LocalText;
  prices: boolean;
  paper: PaperSize;
}

export function PackingSlip({ order, shop, prices, paper }: SlipProps) {
  const { number, language: locale, lines, comment, bill, placedAt, timeZone } = order;
  const t = staffTranslate(locale);
  return (
    <Sheet paper={paper} lang={locale}>
      <header className="paper-head">
        <p className="flex items-center gap-2">
          <img src="/favicon.svg" alt="" width={28} height={28} />
          <strong>{inLocale(shop, locale)}</strong>
        </p>
        <div>
          <h2>{number}</h2>
          <small>
            {t('office.papers.slip')} · {formatDate(placedAt, locale, timeZone, 'date')}
          </small>
        </div>
      </header>
      <Receiver order={order} />
      <ul>
        {lines.map((line) => (
          <li key={line.id}>
            <strong>{line.quantity} ×</strong>
            <LineText line={line} locale={locale} />
            {prices && <span>{formatMoney(line.amount, locale, bill.currency)}</span>}
          </li>
        ))}
      </ul>
      {comment && (
        <p className="paper-block pt-3">
          <small>{t('office.order.comment')}</small>
          {comment}
        </p>
      )}
      {prices && <Sums order={order} />}
    </Sheet>
  );
}

/** Where the order goes, or where and when it is picked up. */
function Receiver({ order }: { order: Paper }) {
  const { method, store, table, pickupAt, timeZone, name, phone, address, language: locale } = order;
  const t = staffTranslate(locale);
  const nameOf = usePlaceName();
  return (
    <div className="paper-who paper-block">
      <p>
        <small className="first-letter:uppercase">{method && t(`orders.method.${method}`)}</small>
        {table !== null && <strong className="block">{t('office.orders.table', { table })}</strong>}
        {pickupAt !== null && <strong className="block">{formatDate(pickupAt, locale, timeZone, 'dayTime')}</strong>}
        {store !== null && nameOf(store, locale)}
      </p>
      {(name || address) && (
        <address className="not-italic">
          <small>{t('office.papers.to')}</small>
          {[name, ...(address ? addressLines(address) : []), phone].filter(Boolean).map((text) => (
            <span key={text} className="block">
              {text}
            </span>
          ))}
        </address>
      )}
    </div>
  );
}

function Sums({ order: { bill, method, language: locale } }: { order: Paper }) {
  const { data: texts } = useQuery({
    queryKey: ['texts', locale],
    queryFn: async () => (await locales[locale].load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!texts) return null;
  const t = translator(locale, texts);
  return (
    <dl className="paper-block pt-3">
      {billRows(bill, { method }).map(({ kind, label, cents }) => (
        <div key={`${kind}${'text' in label ? label.text.en : ''}`} className="flex justify-between gap-4">
          <dt>{'key' in label ? t(label.key, label.values) : inLocale(label.text, locale)}</dt>
          <dd>{cents !== null && formatMoney(cents, locale, bill.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}
