/** Prints a pick list, in the staff's language, and packing slips, each in its order's, of the orders that the address names. */

import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { billRows, isSum, rowKey } from '#contract/bill-rows.ts';
import { groupBy } from '#contract/group-by.ts';
import { inLocale, type Locale, type LocalText, locales } from '#contract/locales.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import type { Paper, PaperLine } from '#contract/staff/orders.ts';
import { picksOf } from '#contract/staff/picks.ts';
import { translator } from '#contract/translate.ts';
import { Button } from '#ui/button.tsx';
import { formatDate, formatMoney, formatTotal } from '#ui/format.ts';
import { Checkbox, Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { Blocks, deliveryTexts } from './order-parts.tsx';
import './print.css';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';

/** Millimetres. A roll has no height: its printer cuts where a page ends. */
const sizes = {
  a4: { width: 210, margin: 14, page: 'A4' },
  letter: { width: 215.9, margin: 14, page: 'letter' },
  roll: { width: 62, margin: 3, page: null },
} as const;
type Size = keyof typeof sizes;

interface Choice {
  size: Size;
  list: boolean;
  slips: boolean;
  prices: boolean;
}
const kept = 'office-print';
const usual: Choice = { size: 'a4', list: true, slips: true, prices: false };

/** Of this device: the printer stands beside it. */
function useChoice() {
  const [choice, setChoice] = useState<Choice>(() => {
    try {
      const known = { ...usual, ...JSON.parse(localStorage.getItem(kept) ?? '{}') } as Choice;
      return known.size in sizes ? known : usual;
    } catch {
      return usual;
    }
  });
  const choose = (change: Partial<Choice>) => {
    const next = { ...choice, ...change };
    localStorage.setItem(kept, JSON.stringify(next));
    setChoice(next);
  };
  return { choice, choose };
}

const mmOf = (px: number) => (px * 25.4) / 96;

/** Gives the browser the size of the pages. On a roll, each paper is a page of its own length. */
function usePages(size: Size, isReady: boolean) {
  const ref = useRef<HTMLDivElement>(null);
  // After every render, since any of them may change what is printed.
  useLayoutEffect(() => {
    if (!isReady) return;
    const { width, margin, page } = sizes[size];
    const papers = [...(ref.current?.querySelectorAll<HTMLElement>('.paper') ?? [])];
    const sheet = new CSSStyleSheet();
    const measure = () => {
      const rules = papers.map((paper, index) => {
        paper.style.setProperty('page', page ? 'auto' : `paper-${index}`);
        const height = Math.ceil(mmOf(paper.clientHeight)) + 1;
        return page ? '' : `@page paper-${index} { size: ${width}mm ${height}mm; }`;
      });
      sheet.replaceSync(
        `@page { size: ${page ?? `${width}mm 100mm`}; margin: ${margin}mm; }${rules.join('')}`,
      );
    };
    measure();
    // Once fonts are there, texts have other heights.
    void document.fonts.ready.then(measure);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    };
  });
  return ref;
}

export default function Print() {
  const { t, call } = useOffice();
  const [{ numbers = '' }] = useFilters();
  const { data, error } = useQuery({
    queryKey: ['papers', numbers],
    queryFn: () => call('papers', { query: { numbers } }),
  });
  const { choice, choose } = useChoice();
  const ref = usePages(choice.size, data !== undefined);
  const { width, margin } = sizes[choice.size];
  const known = data && [...data.papers.map(({ number }) => number), ...data.over];
  const missing = known ? numbers.split(',').filter((number) => !known.includes(number)) : [];
  const toPick = data?.papers.filter(({ isWaiting }) => isWaiting) ?? [];
  return (
    <div className="flex flex-col gap-6 print:block">
      <div className="flex flex-col gap-6 print:hidden">
        <TextLink href="/office/orders" className="text-sm">
          {t('office.orders')}
        </TextLink>
        <h1 className="text-2xl">{t('office.papers')}</h1>
        <Choices choice={choice} choose={choose} />
        <Problem error={error} />
        {missing.some(Boolean) && (
          <Notice
            tone="bad"
            title={t('office.papers.missing', { numbers: missing.join(t('office.listSeparator')) })}
          />
        )}
        {data && data.over.length > 0 && (
          <Notice title={t('office.papers.over', { numbers: data.over.join(t('office.listSeparator')) })} />
        )}
      </div>
      {data && (
        <div
          ref={ref}
          className="flex flex-col items-start gap-6 overflow-x-auto print:block print:overflow-visible"
        >
          {choice.list && toPick.length > 0 && (
            <PickList papers={toPick} paper={{ size: choice.size, width: width - 2 * margin, margin }} />
          )}
          {choice.slips &&
            data.papers.map((order) => (
              <PackingSlip
                key={order.number}
                order={order}
                shop={data.shopContent}
                prices={choice.prices}
                paper={{ size: choice.size, width: width - 2 * margin, margin }}
              />
            ))}
        </div>
      )}
    </div>
  );
}

function Choices({ choice, choose }: ReturnType<typeof useChoice>) {
  const { t } = useOffice();
  const tick = (name: 'list' | 'slips' | 'prices') => (
    <Checkbox
      className="min-h-11 justify-center"
      label={t(`office.papers.${name}`)}
      checked={choice[name]}
      onChange={({ target }) => choose({ [name]: target.checked })}
    />
  );
  return (
    <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <Select
        className="w-56"
        label={t('office.papers.size')}
        options={(Object.keys(sizes) as Size[]).map((value) => ({
          value,
          label: t(`office.papers.${value}`),
        }))}
        value={choice.size}
        onChange={({ target }) => choose({ size: target.value as Size })}
      />
      {tick('list')}
      {tick('slips')}
      {tick('prices')}
      <Button label={t('office.papers.print')} onClick={() => print()} />
    </div>
  );
}

interface PaperSize {
  size: string;
  /** Of what is printed, mm. */
  width: number;
  margin: number;
}

function Sheet({
  paper: { size, width, margin },
  lang,
  children,
}: {
  paper: PaperSize;
  lang: Locale;
  children: ReactNode;
}) {
  const style = { '--paper-width': width, '--paper-margin': margin } as CSSProperties;
  return (
    <article className={`paper paper-${size}`} style={style} lang={locales[lang].tag}>
      {children}
    </article>
  );
}

function usePlaceName() {
  const { shop } = useOffice();
  return (id: string | null, locale: Locale) => {
    if (id === null) return staffTranslate(locale)('office.papers.warehouse');
    const store = shop.stores.find((each) => each.id === id);
    return store ? inLocale(store.nameContent, locale) : id;
  };
}

function PickList({ papers, paper }: { papers: readonly Paper[]; paper: PaperSize }) {
  const { t, locale, shop } = useOffice();
  const nameOf = usePlaceName();
  const places = [...groupBy(papers, ({ store }) => store)];
  return (
    <Sheet paper={paper} lang={locale}>
      <header className="paper-head">
        <h2>{t('office.papers.list')}</h2>
        <p>
          {t('office.papers.orders', { count: papers.length })} ·{' '}
          {formatDate(Date.now(), locale, shop.timeZone, 'dateTime')}
        </p>
      </header>
      {places.map(([place, ofPlace]) => (
        <section key={place}>
          <h3>{nameOf(place, locale)}</h3>
          <ul>
            {picksOf(ofPlace, locale).map(({ line, quantity, orders }) => (
              <li key={line.id}>
                <strong>{quantity} ×</strong>
                <LineText line={line} locale={locale} orders={orders.join(t('office.listSeparator'))} />
                <span aria-hidden>☐</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </Sheet>
  );
}

const nameOf = ({ nameContent, optionContent }: PaperLine, locale: Locale) =>
  [nameContent, ...(optionContent ? [optionContent] : [])].map((text) => inLocale(text, locale)).join(' · ');

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

function PackingSlip({
  order,
  shop,
  prices,
  paper,
}: {
  order: Paper;
  shop: LocalText;
  prices: boolean;
  paper: PaperSize;
}) {
  const { number, language: locale, lines, comment, bill, placedAt, timeZone } = order;
  const sent = lines.filter((line) => line.sent > 0);
  // The sums of a whole order would not be those of a part.
  const isWhole = lines.reduce((sum, { amount }) => sum + amount, 0) === bill.subtotal;
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
        {lines
          .filter(({ quantity }) => quantity > 0)
          .map((line) => (
            <li key={line.id}>
              <strong>{line.quantity} ×</strong>
              <LineText line={line} locale={locale} />
              {prices && <span>{formatMoney(line.amount, locale, bill.currency)}</span>}
            </li>
          ))}
      </ul>
      {sent.length > 0 && (
        <div className="paper-block pt-3">
          <small>{t('office.papers.sentBefore')}</small>
          <Blocks texts={sent.map((line) => `${line.sent} × ${nameOf(line, locale)}`)} />
        </div>
      )}
      {comment && (
        <p className="paper-block pt-3">
          <small>{t('office.order.comment')}</small>
          {comment}
        </p>
      )}
      {prices && isWhole && <Sums order={order} />}
    </Sheet>
  );
}

/** Where the order goes, or where and when it is picked up. */
function Receiver({ order }: { order: Paper }) {
  const {
    method,
    store,
    table,
    pickupAt,
    delivery,
    timeZone,
    name,
    phone,
    address,
    language: locale,
  } = order;
  const t = staffTranslate(locale);
  const nameOf = usePlaceName();
  const sent = delivery && deliveryTexts(t, delivery, locale, timeZone);
  return (
    <div className="paper-who paper-block">
      <p>
        <small className="first-letter:uppercase">{method && t(`orders.method.${method}`)}</small>
        {sent && <strong className="block">{sent.way}</strong>}
        {sent?.promise && <span className="block">{sent.promise}</span>}
        {table !== null && <strong className="block">{t('office.orders.table', { table })}</strong>}
        {pickupAt !== null && (
          <strong className="block">{formatDate(pickupAt, locale, timeZone, 'dayTime')}</strong>
        )}
        {store !== null && nameOf(store, locale)}
      </p>
      {(name || address.length > 0) && (
        <address className="not-italic">
          <small>{t('office.papers.to')}</small>
          <Blocks texts={[name, ...address, phone]} />
        </address>
      )}
    </div>
  );
}

function Sums({ order }: { order: Paper }) {
  const { bill, method, language: locale } = order;
  const { data: texts } = useQuery({
    queryKey: ['texts', locale],
    queryFn: async () => (await locales[locale].load()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!texts) return null;
  const t = translator(locale, texts);
  const money = (cents: number, sums: boolean) =>
    sums ? formatTotal(cents, locale, bill.currency, order) : formatMoney(cents, locale, bill.currency);
  return (
    <dl className="paper-block pt-3">
      {billRows(bill, { method }).map((row) => (
        <div key={rowKey(row)} className="flex justify-between gap-4">
          <dt>
            {'key' in row.label ? t(row.label.key, row.label.values) : inLocale(row.label.text, locale)}
          </dt>
          <dd>{row.cents !== null && money(row.cents, isSum(row.kind))}</dd>
        </div>
      ))}
    </dl>
  );
}
