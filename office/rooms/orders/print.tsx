/** Prints a pick list and the packing slips of the orders that the address names. */
import { useQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Checkbox, Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useFilters } from '../../lib/filters.ts';
import { PackingSlip, PickList } from './papers.tsx';
import './print.css';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/problem.tsx';

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
      sheet.replaceSync(`@page { size: ${page ?? `${width}mm 100mm`}; margin: ${margin}mm; }${rules.join('')}`);
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
  const { data, error } = useQuery({ queryKey: ['papers', numbers], queryFn: () => call('papers', { query: { numbers } }) });
  const { choice, choose } = useChoice();
  const ref = usePages(choice.size, data !== undefined);
  const { width, margin } = sizes[choice.size];
  const missing = data ? numbers.split(',').filter((number) => !data.papers.some((paper) => paper.number === number)) : [];
  return (
    <div className="flex flex-col gap-6 print:block">
      <div className="flex flex-col gap-6 print:hidden">
        <Link
          href="/office/orders"
          className="inline-flex min-h-11 items-center text-action text-sm underline underline-offset-4"
        >
          {t('office.orders')}
        </Link>
        <h1 className="text-2xl">{t('office.papers')}</h1>
        <Choices choice={choice} choose={choose} />
        <Problem error={error} />
        {missing.some(Boolean) && <Notice tone="bad" title={t('office.papers.missing', { numbers: missing.join(', ') })} />}
      </div>
      {data && (
        <div ref={ref} className="flex flex-col items-start gap-6 overflow-x-auto print:block print:overflow-visible">
          {choice.list && data.papers.length > 0 && (
            <PickList papers={data.papers} paper={{ size: choice.size, width: width - 2 * margin, margin }} />
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
        options={(Object.keys(sizes) as Size[]).map((value) => ({ value, label: t(`office.papers.${value}`) }))}
        value={choice.size}
        onChange={({ target }) => choose({ size: target.value as Size })}
      />
      {tick('list')}
      {tick('slips')}
      {tick('prices')}
      <Button onClick={() => print()}>{t('office.papers.print')}</Button>
    </div>
  );
}
