/** The journal: what was changed, when and by whom, the newest first. What it is narrowed to lies in the address. */
import { useMutation } from '@tanstack/react-query';
import { type ChangeEvent, type FormEvent, useState } from 'react';
import { dateFormat } from '#contract/formatters.ts';
import {
  didText,
  doerText,
  type Kind,
  kinds,
  type StaffTranslate,
  valueText,
} from '#contract/staff/messages.ts';
import type { JournalPage } from '#contract/staff/schemas.ts';
import { Button } from '#ui/button.tsx';
import { fieldErrorsOf } from '#ui/errors.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { LoadingRows, MoreButton, useFilters, usePages } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { saveCsv } from '../../lib/save-file.ts';
import { Problem } from '../../lib/send-form.tsx';
import { isoIn } from '../../lib/shop-time.ts';
import { fieldName, isTime } from './field-name.ts';
import { subjectPage, useSubjectNames } from './subjects.ts';

type Entry = JournalPage['entries'][number];
type Filters = Partial<Record<'kind' | 'id' | 'by' | 'from' | 'to', string>>;

/** Pages of 1,000 entries in a file. */
const mostPages = 100;

export default function Journal() {
  const { t, call } = useOffice();
  const [{ kind, ...filters }, change] = useFilters();
  // Whatever stands in the address, the server checks it.
  const query = { ...filters, ...(kind ? { kind: kind as Kind } : {}) };
  const list = usePages(
    ['journal', query],
    (from) => call('journal', { query: { ...query, ...from } }),
    ({ before }) => (before === null ? null : { before }),
  );
  const entries = list.pages.flatMap((page) => page.entries);
  const nameOf = useSubjectNames(new Set(entries.map((entry) => entry.kind)));
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-end justify-between gap-4">
        <h1 className="text-2xl">{t('office.journal')}</h1>
        <SaveButton query={query} />
      </header>
      <Choices
        filters={{ ...query }}
        change={change}
        people={list.pages[0]?.people ?? []}
        errors={fieldErrorsOf(list.error)}
      />
      <Problem error={list.error} />
      <LoadingRows until={list.isKnown || list.error !== null} />
      {list.isKnown && !list.error && entries.length === 0 && (
        <p className="text-ink-soft">{t('journal.none')}</p>
      )}
      <ol className="divide-y divide-line border-line border-y empty:hidden">
        {entries.map((entry) => (
          <Line key={entry.no} entry={entry} name={nameOf(entry.kind, entry.id)} />
        ))}
      </ol>
      <MoreButton list={list} label={t('office.journalMore')} />
    </div>
  );
}

interface ChoicesProps {
  filters: Filters;
  change: (changed: Record<string, string>) => void;
  people: JournalPage['people'];
  errors: Readonly<Record<string, string>>;
}

function Choices({ filters, change, people, errors }: ChoicesProps) {
  const { t } = useOffice();
  const field = (name: keyof Filters) => ({
    value: filters[name] ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLSelectElement>) =>
      change({ [name]: target.value }),
  });
  const find = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change({ id: String(new FormData(event.currentTarget).get('id') ?? '').trim() });
  };
  const doers = [
    ...people.map(({ id, name }) => ({ value: id, label: name })),
    ...(['system', 'terminal'] as const).map((value) => ({ value, label: t(`journal.person.${value}`) })),
  ];
  return (
    <search className="grid grid-cols-2 items-end gap-x-3 gap-y-4 form:grid-cols-5">
      <Select
        {...field('kind')}
        label={t('office.journalKind')}
        placeholder={t('office.journalAll')}
        options={kinds.map((value) => ({ value, label: t(`kind.${value}`) }))}
      />
      <form onSubmit={find} key={filters.id ?? ''}>
        <TextField
          label={t('office.journalId')}
          type="search"
          name="id"
          defaultValue={filters.id ?? ''}
          maxLength={200}
        />
      </form>
      <Select
        {...field('by')}
        label={t('office.journalBy')}
        placeholder={t('office.journalAll')}
        options={doers}
      />
      <TextField {...field('from')} label={t('office.journalFrom')} type="date" error={errors.from} />
      <TextField {...field('to')} label={t('office.journalTo')} type="date" error={errors.to} />
    </search>
  );
}

function SaveButton({ query }: { query: Omit<Filters, 'kind'> & { kind?: Kind } }) {
  const { t, shop, call } = useOffice();
  const [cut, setCut] = useState(0);
  const save = useMutation({
    mutationFn: async () => {
      const entries: Entry[] = [];
      let before: number | undefined;
      for (let page = 0; page < mostPages; page++) {
        const answer = await call('exportJournal', {
          query: { ...query, ...(before === undefined ? {} : { before }) },
        });
        entries.push(...answer.entries);
        before = answer.before ?? undefined;
        if (before === undefined) break;
      }
      setCut(before === undefined ? 0 : entries.length);
      const heads = (['Number', 'Time', 'By', 'What', 'Thing', 'Id', 'Changes'] as const).map((name) =>
        t(`office.journal${name}`),
      );
      const rows = entries.map((entry) => [
        entry.no,
        isoIn(shop.timeZone, entry.at),
        doerText(t, entry),
        didText(t, entry.action),
        t(`kind.${entry.kind}`),
        entry.id,
        (entry.fields ?? [])
          .map((change) => changeText(entry.kind, change, t, (at) => isoIn(shop.timeZone, at)))
          .join('\n'),
      ]);
      saveCsv('journal.csv', [heads, ...rows]);
    },
  });
  return (
    <div className="flex flex-col items-end gap-2">
      <Button
        label={t('office.journalSave')}
        variant="secondary"
        busy={save.isPending}
        onClick={() => save.mutate()}
      />
      <Problem error={save.error} />
      {cut > 0 && <Notice title={t('office.journalCut', { count: cut })} />}
    </div>
  );
}

function Line({ entry, name }: { entry: Entry; name: string | undefined }) {
  const { t, locale, shop, may } = useOffice();
  const { at, action, kind, id, fields } = entry;
  const page = id ? subjectPage(kind, id, may) : null;
  const subject = name ?? (kind === 'setting' ? fieldName(kind, id, t) : id);
  const moment = (time: number) =>
    dateFormat(locale, {
      dateStyle: 'medium',
      timeStyle: 'medium',
      hourCycle: 'h23',
      timeZone: shop.timeZone,
    }).format(time);
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 form:grid-cols-[13rem_1fr]">
      <p className="text-ink-soft text-sm">
        <time dateTime={new Date(at).toISOString()}>{moment(at)}</time>
        <span className="block">{doerText(t, entry)}</span>
      </p>
      <div className="min-w-0">
        <p className="break-words">
          <span className="font-semibold">{didText(t, action)}</span> · {t(`kind.${kind}`)}{' '}
          {page ? (
            <Link href={page} className="inline-flex min-h-6 items-center underline underline-offset-4">
              {subject}
            </Link>
          ) : (
            subject
          )}
        </p>
        {fields?.map((change) => (
          <p key={change.field} className="break-words text-ink-soft text-sm">
            {changeText(kind, change, t, moment)}
          </p>
        ))}
      </div>
    </li>
  );
}

/** From what to what, where the journal keeps it. `moment` prints a time. */
function changeText(
  kind: Kind,
  change: NonNullable<Entry['fields']>[number],
  t: StaffTranslate,
  moment: (at: number) => string,
): string {
  const field = fieldName(kind, change.field, t);
  const text = (value: unknown) =>
    typeof value === 'number' && isTime(kind, change.field)
      ? moment(value)
      : valueText(t, change.field, value);
  return 'from' in change || 'to' in change
    ? t('journal.field', { field, from: text(change.from), to: text(change.to) })
    : t('journal.fieldUnkept', { field });
}
