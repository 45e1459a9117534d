/** Handing the books over: files for a bookkeeper's program, the table of accounts that they need, and all entries. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { staffBase } from '#contract/limits.ts';
import type { Locale } from '#contract/locales.ts';
import { bookLineText } from '#contract/staff/book-lines.ts';
import type {
  BookAccounts,
  BookLine,
  BookProgram,
  HandedFile,
  HandedFiles,
} from '#contract/staff/handover.ts';
import { bookPrograms, entryForms, programNames } from '#contract/staff/handover.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, FormSection, useForm } from '#ui/form.tsx';
import { formatCalendarDay, formatDate } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOnce } from '../../lib/api.ts';
import { useDocument } from '../../lib/document.tsx';
import { DocumentForm, useEdited } from '../../lib/document-form.tsx';
import { useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { BooksFrame } from './frame.tsx';

export default function Files() {
  const { t, call, may, stores } = useOffice();
  const [filters, change] = useFilters();
  const program = bookPrograms.find((each) => each === filters.program) ?? 'xero';
  const isAllowed = may.includes('books.export');
  const { data, error } = useQuery({
    queryKey: ['handed-files'],
    queryFn: () => call('handedFiles'),
    enabled: isAllowed && stores === null,
  });
  return (
    <BooksFrame page="/files">
      <div className="flex max-w-[64rem] flex-col gap-10">
        <p className="text-ink-soft">{t('office.files.hint')}</p>
        <Problem error={error} />
        {data && (
          <>
            <div className="flex flex-wrap items-end gap-4">
              <Select
                className="w-64"
                label={t('office.files.program')}
                options={bookPrograms.map((value) => ({ value, label: programNames[value] }))}
                value={program}
                onChange={({ target }) => change({ program: target.value })}
              />
            </div>
            <HandOver key={program} program={program} all={data} />
            <Handed files={data.files} />
            <Accounts program={program} />
          </>
        )}
        {isAllowed && <Entries />}
      </div>
    </BooksFrame>
  );
}

/**
 * After days are handed over, the next ones are another form: a second press of the same button would hand over days that nobody chose.
 */
function HandOver({ program, all }: { program: BookProgram; all: HandedFiles }) {
  const { t, locale, queries } = useOffice();
  const [made, setMade] = useState<HandedFile | null>(null);
  const onSent = (files: HandedFiles) => {
    queries.setQueryData(['handed-files'], files);
    const newest = files.files.find((each) => each.program === program);
    if (!newest) return;
    setMade(newest);
    location.assign(fileAddress(newest));
  };
  const span = all.next.find((each) => each.program === program)?.span ?? null;
  return (
    <section className="flex flex-col gap-5 rounded-md border border-line p-5">
      <h2 className="text-xl">{programNames[program]}</h2>
      {made ? (
        <>
          <Notice tone="good" title={t('office.files.done', { days: daysText(made, t, locale) })} />
          <Button
            label={t('office.files.goOn')}
            variant="secondary"
            className="self-start"
            onClick={() => setMade(null)}
          />
        </>
      ) : (
        <HandOverForms program={program} span={span} all={all} onSent={onSent} />
      )}
    </section>
  );
}

interface HandOverFormsProps {
  program: BookProgram;
  span: { from: string; to: string } | null;
  all: HandedFiles;
  onSent: (files: HandedFiles) => void;
}

function HandOverForms({ program, span, all, onSent }: HandOverFormsProps) {
  const { t, call, locale } = useOffice();
  const once = useOnce();
  const [asked, setAsked] = useState(false);
  const hasFiles = all.files.some((each) => each.program === program);
  const form = useForm({
    initial: { 'days.from': span?.from ?? '', 'days.to': span?.to ?? '' },
    send: (days) =>
      call('handOver', { once, body: { program, days: { from: days['days.from'], to: days['days.to'] } } }),
    onSent,
  });
  const corrections = useForm({
    initial: {},
    send: () => call('handOver', { once, body: { program, days: null } }),
    onSent,
  });
  const chosen = { from: form.values['days.from'], to: form.values['days.to'] };
  return (
    <>
      {span ? (
        <form
          {...form.formProps}
          className="flex flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(true);
          }}
        >
          <FormProblem>{form.problem}</FormProblem>
          <div className="flex flex-wrap items-start gap-4">
            <TextField
              {...form.field('days.from')}
              className="w-48"
              label={t('office.closing.from')}
              type="date"
            />
            <TextField
              {...form.field('days.to')}
              className="w-48"
              label={t('office.closing.to')}
              type="date"
            />
          </div>
          <Button label={t('office.files.handOver')} type="submit" busy={form.busy} className="self-start" />
        </form>
      ) : (
        <p>{t('office.files.noneToHand')}</p>
      )}
      {asked && (
        <Dialog
          open
          onClose={() => setAsked(false)}
          title={t('office.files.ask', { program: programNames[program] })}
        >
          <p>{t('office.files.askDays', { days: daysText(chosen, t, locale) })}</p>
          <Button
            label={t('office.files.handOver')}
            className="self-start"
            onClick={(event) => {
              setAsked(false);
              form.formProps.onSubmit(event);
            }}
          />
        </Dialog>
      )}
      {hasFiles && (
        <SendForm
          form={corrections}
          label={t('office.files.corrections')}
          variant="secondary"
          className="self-start"
        >
          {null}
        </SendForm>
      )}
    </>
  );
}

/** The days of a file, or that it has corrections alone. */
function daysText({ from, to }: Pick<HandedFile, 'from' | 'to'>, t: StaffTranslate, locale: Locale): string {
  if (from === null || to === null) return t('office.files.corrections');
  return from === to
    ? formatCalendarDay(from, locale, 'date')
    : `${formatCalendarDay(from, locale, 'date')} – ${formatCalendarDay(to, locale, 'date')}`;
}

const fileAddress = ({ id }: Pick<HandedFile, 'id'>) => `${staffBase}books/files/${id}`;

function Handed({ files }: { files: readonly HandedFile[] }) {
  const { t, locale, shop } = useOffice();
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-xl">{t('office.files.handed')}</h2>
      {files.length === 0 && <p className="text-ink-soft">{t('office.files.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {files.map((file) => {
          const days = daysText(file, t, locale);
          const said = [
            t('office.files.count', { count: file.journals }),
            file.corrections > 0 ? t('office.files.withCorrections', { count: file.corrections }) : '',
            formatDate(file.at, locale, shop.timeZone, 'dateTime'),
            file.by,
          ];
          const name = `${programNames[file.program]}, ${days}`;
          return (
            <li key={file.id} className="flex flex-wrap items-center justify-between gap-3 py-3">
              <div>
                <p className="font-semibold">{name}</p>
                <p className="text-ink-soft text-sm">{said.filter(Boolean).join(' · ')}</p>
              </div>
              <a
                className={buttonClass({ variant: 'secondary', size: 'small' })}
                href={fileAddress(file)}
                aria-label={t('office.books.named', { name: t('office.files.again'), value: name })}
              >
                {t('office.files.again')}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Accounts({ program }: { program: BookProgram }) {
  const { t, call, locale, queries } = useOffice();
  const document = useDocument<BookAccounts & { content: object }>({
    name: ['settings', 'book-accounts'],
    place: 'settings',
    load: () => call('bookAccounts') as Promise<BookAccounts & { content: object }>,
    save: (body) => call('saveBookAccounts', { body }) as Promise<BookAccounts & { content: object }>,
  });
  // Names of provinces are of the language that they were asked for in.
  const askedIn = useRef(locale);
  useEffect(() => {
    if (askedIn.current === locale) return;
    askedIn.current = locale;
    void queries.invalidateQueries({ queryKey: ['settings', 'book-accounts'] });
  }, [locale, queries]);
  const { content, loaded } = document;
  if (!content || !loaded) return <Problem error={document.error} />;
  return (
    <DocumentForm document={document}>
      <FormSection
        title={t('office.books.named', { name: t('office.files.accounts'), value: programNames[program] })}
      >
        <p className="text-ink-soft">{t('office.files.accountsHint')}</p>
        {program === 'xero' && (
          <>
            <p className="text-ink-soft">{t('office.files.taxRateHint')}</p>
            <SameRate lines={loaded.lines} />
          </>
        )}
        <div className="flex flex-col gap-4">
          {loaded.lines.map((line) => (
            <AccountRow key={line.key} line={line} program={program} />
          ))}
        </div>
      </FormSection>
    </DocumentForm>
  );
}

interface TableRow {
  id: string;
  code: string;
  taxRate: string;
}

/** Gives the lines that have no tax rate yet the first one that was entered: most shops have one for all. */
function SameRate({ lines }: { lines: readonly BookLine[] }) {
  const form = useEdited();
  const { t } = useOffice();
  const rows = lines.map(({ key }) => {
    const id = `xero ${key}`;
    return { id, ...((form.valueAt(['bookAccounts', id]) ?? {}) as Partial<TableRow>) };
  });
  const rate = rows.find(({ taxRate }) => taxRate)?.taxRate;
  const open = rows.filter(({ taxRate }) => !taxRate);
  if (!rate || open.length === 0) return null;
  const fill = () => {
    for (const { id, code = '' } of open) form.change(['bookAccounts', id], { id, code, taxRate: rate });
  };
  return (
    <Button
      label={t('office.files.sameRate', { rate })}
      variant="secondary"
      size="small"
      className="self-start"
      onClick={fill}
    />
  );
}

function AccountRow({ line, program }: { line: BookLine; program: BookProgram }) {
  const form = useEdited();
  const { t } = useOffice();
  const id = `${program} ${line.key}`;
  const path = ['bookAccounts', id];
  const { code = '', taxRate = '' } = (form.valueAt(path) ?? {}) as Partial<TableRow>;
  const change = (part: Partial<TableRow>) => {
    const row = { id, code, taxRate, ...part };
    form.change(path, row.code === '' && row.taxRate === '' ? undefined : row);
  };
  const name = bookLineText(t, line);
  const field = (of: 'code' | 'taxRate', label: string, value: string) => (
    <TextField
      className="w-full"
      label={label}
      aria-label={`${name}: ${label}`}
      autoComplete="off"
      value={value}
      error={form.errorAt([...path, of], `${name}: ${label}`)}
      onChange={({ target }) => change({ [of]: target.value })}
    />
  );
  return (
    <div className="grid items-end gap-x-4 gap-y-2 border-line border-b pb-4 form:grid-cols-[minmax(8rem,12rem)_minmax(0,16rem)_minmax(0,16rem)]">
      <p className="self-center font-semibold">{name}</p>
      {field('code', t(`office.files.code.${program}`), code)}
      {program === 'xero' && field('taxRate', t('office.files.taxRate'), taxRate)}
    </div>
  );
}

/** A file of all entries of days: the browser loads it by its address. */
function Entries() {
  const { t, locale } = useOffice();
  const [filters, change] = useFilters();
  const { from = '', to = '' } = filters;
  const address = (form: string) =>
    `${staffBase}books/entries?${new URLSearchParams({ from, to, form, lang: locale })}`;
  return (
    <section className="flex flex-col gap-4">
      <h2 className="text-xl">{t('office.files.entries')}</h2>
      <p className="text-ink-soft">{t('office.files.entriesHint')}</p>
      <div className="flex flex-wrap items-end gap-4">
        <TextField
          className="w-48"
          label={t('office.closing.from')}
          type="date"
          value={from}
          onChange={({ target }) => change({ from: target.value })}
        />
        <TextField
          className="w-48"
          label={t('office.closing.to')}
          type="date"
          value={to}
          onChange={({ target }) => change({ to: target.value })}
        />
        {entryForms.map((form) =>
          from === '' || to === '' ? (
            <Button key={form} label={t(`office.files.form.${form}`)} variant="secondary" disabled />
          ) : (
            <a key={form} className={buttonClass({ variant: 'secondary' })} href={address(form)}>
              {t(`office.files.form.${form}`)}
            </a>
          ),
        )}
      </div>
    </section>
  );
}
