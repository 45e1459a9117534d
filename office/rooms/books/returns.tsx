/** The returns of sales taxes, filled in from the books; what the shop cannot know is asked for. */
import { decimalText, parseAmount } from '#contract/money.ts';
import {
  type FilledLine,
  filledReturn,
  returnCurrency,
  type TaxReturnId,
  taxReturns,
} from '#contract/staff/tax-returns.ts';
import { Button } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { ApiError } from '#ui/errors.ts';
import { formatCalendarDay, formatMoney } from '#ui/format.ts';
import { Select } from '#ui/inputs.tsx';
import { useKept } from '../../lib/kept.ts';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { Taxes, useReport } from './books.tsx';
import { EventsDialog, FigureButton, tableClass, useOpened } from './figures.tsx';
import { BooksFrame } from './frame.tsx';
import { SaveBooks } from './save-books.tsx';
import { PaperHead, type Span, SpanBar, useSpan } from './span.tsx';

const ids = Object.keys(taxReturns) as TaxReturnId[];

/** As they are typed, by the codes of lines. */
type Texts = Readonly<Record<string, string>>;

export default function Returns() {
  const { t, stores } = useOffice();
  const [span, change] = useSpan('lastQuarter');
  const [{ return: wanted = '' }] = useFilters();
  const id = ids.find((each) => each === wanted) ?? 'gst';
  const { data, error } = useReport(span, null);
  const fieldErrors = error instanceof ApiError ? error.body.errors : undefined;
  const { from, to, store } = span;
  // What was typed is about one return of one span.
  const [typed, keep] = useKept<Texts>(['tax-return', id, from, to, store]);
  const texts = typed ?? {};
  const answers = answersIn(texts);
  const type = (changed: Texts) =>
    keep((before) => {
      const all = Object.entries({ ...before, ...changed }).filter(([, text]) => text !== '');
      return all.length === 0 ? null : Object.fromEntries(all);
    });
  const file = { what: 'return' as const, return: id, from, to, answers, ...(store === '' ? {} : { store }) };
  const others = [...new Set(data?.rows.map(({ currency }) => currency))].filter(
    (currency) => currency !== returnCurrency,
  );
  return (
    <BooksFrame page="/returns" aside={data && <SaveBooks wanted={file} />}>
      <PaperHead title={`${t(taxReturns[id].name)} · ${taxReturns[id].form}`} span={span} />
      <SpanBar span={span} errors={fieldErrors} onChange={change}>
        <Select
          className="w-80 max-w-full"
          label={t('office.returns.return')}
          options={ids.map((value) => ({ value, label: t(taxReturns[value].name) }))}
          value={id}
          onChange={({ target }) => change({ return: target.value })}
        />
      </SpanBar>
      {stores !== null && <p className="text-ink-soft">{t('office.books.oneStore')}</p>}
      <Problem error={!fieldErrors && error} />
      {data && !error && (
        <>
          {others.length > 0 && (
            <p>
              {t('office.returns.otherCurrencies', { currencies: others.join(t('office.listSeparator')) })}
            </p>
          )}
          <Lines lines={filledReturn(id, data.rows, answers)} {...{ id, span, texts }} onType={type} />
          <Taxes
            of={data.rows.filter(({ currency }) => currency === returnCurrency)}
            span={span}
            currency={returnCurrency}
            names={new Map(data.names.map((each) => [each.id, each.name]))}
          />
        </>
      )}
    </BooksFrame>
  );
}

/** What is no amount is not known. */
function answersIn(texts: Texts): Record<string, number> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([code, text]) => {
      const amount = amountIn(text);
      return amount === null ? [] : [[code, amount] as const];
    }),
  );
}
const amountIn = (text: string) =>
  text.trim() === '' ? null : parseAmount(text, returnCurrency, { negative: true });

interface LinesProps {
  id: TaxReturnId;
  lines: readonly FilledLine[];
  span: Span;
  texts: Texts;
  onType: (changed: Texts) => void;
}

function Lines({ id, lines, span, texts, onType }: LinesProps) {
  const { t, locale } = useOffice();
  const [opened, openFigure, close] = useOpened();
  const { form, source } = taxReturns[id];
  const money = (cents: number) => formatMoney(cents, locale, returnCurrency);
  const open = lines.filter(
    ({ line, amount }) => 'asked' in line.source && amount === null && !texts[line.code],
  );
  const caption = `${t(taxReturns[id].name)} · ${form}`;
  const shown = lines.find(({ line }) => `${id} ${line.code}` === opened);
  return (
    <section className="flex max-w-[52rem] flex-col gap-3">
      <table className={cx(tableClass, '[&_td:first-child]:w-12 form:[&_td:first-child]:w-20')}>
        <caption className="pb-2 text-left font-semibold text-lg print:sr-only">{caption}</caption>
        <thead className="text-ink-soft text-sm">
          <tr>
            {(['line', 'what', 'amount'] as const).map((column) => (
              <th
                key={column}
                scope="col"
                className={cx('font-semibold', column !== 'amount' && 'text-left!')}
              >
                {t(`office.books.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, amount }) => (
            <tr key={line.code} className={line.isResult && 'font-semibold'}>
              <td className="text-ink-soft">{line.code.includes('.') ? '' : line.code}</td>
              <th
                scope="row"
                className={cx(
                  'text-left!',
                  !line.isResult && 'font-normal',
                  line.code.includes('.') && 'pl-8!',
                )}
              >
                {t(line.name)}
              </th>
              <td>
                {'asked' in line.source ? (
                  <Asked
                    name={t(line.name)}
                    text={texts[line.code] ?? ''}
                    onType={(text) => onType({ [line.code]: text })}
                  />
                ) : amount === null ? (
                  <span className="font-normal text-ink-soft text-sm">{t('office.returns.notYet')}</span>
                ) : 'books' in line.source ? (
                  <FigureButton
                    text={money(amount)}
                    isEmpty={amount === 0}
                    onOpen={() => openFigure(`${id} ${line.code}`)}
                  />
                ) : (
                  money(amount)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {open.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft text-sm">
          {t('office.returns.notKnown')}
          <Button
            label={t('office.returns.zero')}
            variant="secondary"
            size="small"
            className="min-h-11 print:hidden"
            onClick={() =>
              onType(Object.fromEntries(open.map(({ line }) => [line.code, decimalText(0, returnCurrency)])))
            }
          />
        </p>
      )}
      <p className="text-ink-soft text-sm print:hidden">{t('office.returns.kept')}</p>
      <p className="text-ink-soft text-sm">
        <SourceText {...{ form, url: source.url, readOn: source.readOn }} />
      </p>
      {shown && 'books' in shown.line.source && (
        <EventsDialog
          figure={{ ...shown.line.source, filter: shown.line.source.books }}
          span={span}
          title={`${shown.line.code} ${t(shown.line.name)}`}
          total={money(shown.amount ?? 0)}
          currency={returnCurrency}
          onClose={close}
        />
      )}
    </section>
  );
}

function SourceText({ form, url, readOn }: { form: string; url: string; readOn: string }) {
  const { t, locale } = useOffice();
  const site = new URL(url).hostname;
  const [before = '', after = ''] = t('office.returns.form', {
    form,
    site: '\u0000',
    day: formatCalendarDay(readOn, locale, 'date'),
  }).split('\u0000');
  return (
    <>
      {before}
      <a href={url} rel="noopener" className="underline underline-offset-4">
        {site}
      </a>
      {after}
    </>
  );
}

function Asked({ name, text, onType }: { name: string; text: string; onType: (text: string) => void }) {
  const { t } = useOffice();
  const isWrong = text.trim() !== '' && amountIn(text) === null;
  return (
    <>
      <input
        className="input inline-block h-11 w-32 text-right max-form:placeholder:text-sm form:w-44 print:w-44 print:border-0 print:px-0"
        inputMode="decimal"
        aria-label={name}
        aria-invalid={isWrong}
        placeholder={t('office.returns.enter')}
        value={text}
        onChange={({ target }) => onType(target.value)}
      />
      {isWrong && (
        <span role="alert" className="block text-bad text-sm">
          {t('office.returns.noAmount')}
        </span>
      )}
    </>
  );
}
