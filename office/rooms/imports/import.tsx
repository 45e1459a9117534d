/** One import: what its columns are read as, what it would change, and how far it is. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { warehouse } from '#contract/limits.ts';
import { inLocale, locales, offeredLocales } from '#contract/locales.ts';
import type { StaffBody, StaffResponse } from '#contract/staff/endpoints.ts';
import {
  type ImportAnswer,
  type ImportOutcome,
  type ImportState,
  importOutcomes,
  type SheetEncoding,
  sheetEncodings,
} from '#contract/staff/imports.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, Select, SelectControl } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { MoreButton, usePages } from '../../lib/lists.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { saveFile } from '../../lib/save-file.ts';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { everyMs, isUnderWay } from './imports.tsx';

export default function ImportPage() {
  const { import: id = '' } = useParams({ strict: false }) as { import?: string };
  const { t, call } = useOffice();
  const { data, error } = useQuery({
    queryKey: ['import', id],
    queryFn: () => call('import', { params: { import: id } }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? everyMs : false),
  });
  return (
    <div className="flex max-w-room flex-col gap-6">
      <TextLink href="/office/imports">{t('office.imports.back')}</TextLink>
      <Problem error={error} />
      {data && <Sheet import={data} />}
    </div>
  );
}

function Sheet({ import: data }: { import: ImportAnswer }) {
  const { t, locale } = useLanguage();
  const number = (value: number) => value.toLocaleString(locale);
  const { id, state, about } = data;
  const isOpen = state === 'judged';
  const rows = t('office.imports.about', {
    count: data.rows,
    rows: number(data.rows),
    format: about.format.toUpperCase(),
    encoding: about.encoding,
  });
  return (
    <>
      <header className="flex flex-col gap-1">
        <h1 className="break-words text-2xl">{data.file}</h1>
        <p className="text-ink-soft">
          {t(`office.imports.kind.${data.kind}`)} · {rows}
        </p>
      </header>
      {data.problem && <Notice tone="bad" title={data.problem} />}
      <Progress import={data} />
      {state !== 'judging' && state !== 'failed' && (
        <>
          <Counts import={data} />
          <Steps import={data} />
          {isOpen && <ImportColumns key={`${id} ${data.kind} ${about.encoding}`} import={data} />}
          <ImportRows key={state} id={id} counts={data.counts} />
        </>
      )}
    </>
  );
}

function Progress({ import: data }: { import: ImportAnswer }) {
  const { t, locale } = useLanguage();
  const { done, total, state } = data;
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="font-semibold">{t(`office.imports.state.${state}`)}</p>
      {isUnderWay(data) && (
        <>
          <progress
            className="w-full"
            value={done}
            max={Math.max(1, total)}
            aria-label={t(`office.imports.state.${state}`)}
          />
          <p className="text-ink-soft text-sm">
            {t('office.imports.progress', {
              done: done.toLocaleString(locale),
              total: total.toLocaleString(locale),
            })}
          </p>
        </>
      )}
    </div>
  );
}

function Counts({ import: { counts, warnings, made, lost, asks } }: { import: ImportAnswer }) {
  const { t, locale } = useLanguage();
  const isMaking = made.brands + made.categories + made.tags > 0;
  return (
    <section className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-md border border-line bg-line form:grid-cols-4">
        {importOutcomes.map((each) => (
          <div key={each} className="flex flex-col-reverse bg-page p-4">
            <dt className="text-ink-soft text-sm">{t(`office.imports.outcome.${each}`)}</dt>
            <dd className={each === 'problem' && counts.problem > 0 ? 'text-2xl text-bad' : 'text-2xl'}>
              {counts[each].toLocaleString(locale)}
            </dd>
          </div>
        ))}
      </dl>
      {warnings > 0 && <p>{t('office.imports.warnings', { count: warnings })}</p>}
      {isMaking && <p className="text-ink-soft">{t('office.imports.makes', made)}</p>}
      {asks.map((each) => (
        <Notice key={each} tone="bad" title={t(`office.imports.ask.${each}`)} />
      ))}
      {lost.length > 0 && (
        <ul className="list-disc ps-5 text-ink-soft">
          {lost.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** Importing, leaving it, taking it back. */
function Steps({ import: data }: { import: ImportAnswer }) {
  const { t, call, queries } = useOffice();
  const shared = useT();
  const { id, state, counts } = data;
  const params = { import: id };
  const step = useMutation({
    mutationFn: (name: 'applyImport' | 'stopImport' | 'takeImportBack') =>
      name === 'applyImport' ? call(name, { params, body: { seen: data.version } }) : call(name, { params }),
    // Also of a refusal: somebody may have chosen otherwise.
    onSettled: () => queries.invalidateQueries({ queryKey: ['import', id] }),
  });
  const report = useMutation({
    mutationFn: () => call('importReport', { params }),
    onSuccess: ({ csv }: StaffResponse<'importReport'>) =>
      saveFile(`${data.file.replace(/\.\w{1,5}$/, '')}-problems.csv`, 'text/csv', csv),
  });
  const due = counts.new + counts.changed;
  return (
    <div className="flex flex-col gap-3">
      {(step.error ?? report.error) && (
        <Notice tone="bad" title={errorText(step.error ?? report.error, shared)} />
      )}
      {state === 'judged' && due === 0 && counts.problem === 0 && (
        <Notice title={t('office.imports.nothing')} />
      )}
      <div className="flex flex-wrap gap-3">
        {state === 'judged' && due > 0 && (
          <Button busy={step.isPending} onClick={() => step.mutate('applyImport')}>
            {t('office.imports.apply', { count: due })}
          </Button>
        )}
        {state === 'judged' && (
          <Button variant="secondary" disabled={step.isPending} onClick={() => step.mutate('stopImport')}>
            {t('office.imports.stop')}
          </Button>
        )}
        {data.canTakeBack && (
          <Button variant="secondary" busy={step.isPending} onClick={() => step.mutate('takeImportBack')}>
            {t('office.imports.takeBack')}
          </Button>
        )}
        {counts.problem + data.warnings > 0 && (
          <Button variant="secondary" busy={report.isPending} onClick={() => report.mutate()}>
            {t('office.imports.report')}
          </Button>
        )}
      </div>
      {data.canTakeBack && <p className="text-ink-soft text-sm">{t('office.imports.takeBackHint')}</p>}
    </div>
  );
}

type Row = StaffResponse<'importRows'>['rows'][number];

/** What becomes of each thing in a file: its differences, and its problems by row and column. */
function ImportRows({ id, counts }: { id: string; counts: ImportState['counts'] }) {
  const { t, locale, call } = useOffice();
  const there = importOutcomes.filter((each) => counts[each] > 0);
  const [outcome, setOutcome] = useState<ImportOutcome | undefined>(
    counts.problem > 0 ? 'problem' : there[0],
  );
  const list = usePages(
    ['import', id, 'rows', outcome],
    (from) => call('importRows', { params: { import: id }, query: { ...(outcome && { outcome }), ...from } }),
    ({ next }) => (next === null ? null : { after: next }),
  );
  if (there.length === 0) return null;
  return (
    <section className="flex flex-col gap-4">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">{t('office.imports.outcomes')}</legend>
        {there.map((each) => (
          <Button
            key={each}
            size="small"
            variant={each === outcome ? 'primary' : 'secondary'}
            aria-pressed={each === outcome}
            onClick={() => setOutcome(each)}
          >
            {t(`office.imports.outcome.${each}`)} · {counts[each].toLocaleString(locale)}
          </Button>
        ))}
      </fieldset>
      <Problem error={list.error} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {list.pages.flatMap(({ rows }) =>
          rows.map((row) => (
            <li key={`${row.subject} ${row.line}`} className="flex flex-col gap-2 py-3">
              <RowWords row={row} />
            </li>
          )),
        )}
      </ul>
      <MoreButton list={list} className="self-start" label={t('office.imports.more')} />
    </section>
  );
}

function RowWords({ row: { subject, line, fields, problems, shows, post } }: { row: Row }) {
  const { t } = useLanguage();
  const value = (text: string) => text || t('office.imports.empty');
  return (
    <>
      <p className="flex flex-wrap gap-x-3">
        <span className="break-words font-semibold">{shows?.title ?? subject}</span>
        <span className="text-ink-soft">{t('office.imports.row', { line })}</span>
      </p>
      {shows && (
        <p className="text-sm">
          {t('office.imports.shows', { ...shows, title: subject, count: shows.variants })}
        </p>
      )}
      {post && (
        <p className="break-words text-sm">
          {t('office.imports.showsPost', { ...post, count: post.pictures })}
        </p>
      )}
      <ul className="text-sm empty:hidden">
        {problems.map(({ text, warning }) => (
          <li key={text} className={warning ? 'break-words text-ink-soft' : 'break-words text-bad'}>
            {text}
          </li>
        ))}
      </ul>
      <ul className="text-sm empty:hidden">
        {fields.map(({ field, from, to }) => (
          <li key={field} className="break-words">
            {field}: <del className="text-ink-soft">{value(from)}</del> →{' '}
            <ins className="no-underline">{value(to)}</ins>
          </li>
        ))}
      </ul>
    </>
  );
}

type Chosen = StaffBody<'changeImport'>;

function ImportColumns({ import: data }: { import: ImportAnswer }) {
  const { t, call, queries } = useOffice();
  const [chosen, setChosen] = useState<Chosen>({
    kind: data.kind,
    fields: data.columns.map(({ field }) => field),
    encoding: null,
    ...data.options,
  });
  const change = (more: Partial<Chosen>) => setChosen((before) => ({ ...before, ...more }));
  const save = useMutation({
    mutationFn: (body: Chosen) => call('changeImport', { params: { import: data.id }, body }),
    onSuccess: (answer) => queries.setQueryData(['import', data.id], answer),
  });
  const isText = data.about.format !== 'xlsx';
  const unplaced = data.columns.filter(({ example }, at) => example !== '' && chosen.fields[at] === null);
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(chosen);
      }}
    >
      <Problem error={save.error} />
      {data.remembered && <Notice title={t('office.imports.remembered')} />}
      {unplaced.length > 0 && (
        <p className="text-ink-soft">
          {t('office.imports.unplaced', {
            columns: unplaced.map(({ name }) => name).join(t('office.listSeparator')),
          })}
        </p>
      )}
      <details className="rounded-md border border-line px-4">
        <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
          {t('office.imports.columns')}
        </summary>
        <Select
          label={t('office.imports.kind')}
          className="max-w-96 py-3"
          options={data.kinds.map((value) => ({ value, label: t(`office.imports.kind.${value}`) }))}
          value={chosen.kind}
          onChange={({ target }) => save.mutate({ ...chosen, kind: target.value as Chosen['kind'] })}
        />
        {isText && (
          <Select
            label={t('office.imports.encoding')}
            hint={t('office.imports.encodingHint')}
            className="max-w-96 py-3"
            options={sheetEncodings.map((value) => ({ value, label: t(`office.imports.encoding.${value}`) }))}
            value={data.about.encoding}
            onChange={({ target }) => save.mutate({ ...chosen, encoding: target.value as SheetEncoding })}
          />
        )}
        <ColumnList data={data} fields={chosen.fields} onChange={(fields) => change({ fields })} />
      </details>
      {data.uses.some((use) => !['places', 'people', 'content', 'texts'].includes(use)) && (
        <details className="rounded-md border border-line px-4">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">
            {t('office.imports.options')}
          </summary>
          <Options uses={data.uses} chosen={chosen} change={change} />
        </details>
      )}
      <Button
        label={t('office.imports.again')}
        type="submit"
        variant="secondary"
        className="self-start"
        busy={save.isPending}
      />
    </form>
  );
}

interface ColumnListProps {
  data: ImportAnswer;
  fields: readonly (string | null)[];
  onChange: (fields: (string | null)[]) => void;
}

function ColumnList({ data, fields, onChange }: ColumnListProps) {
  const { t } = useLanguage();
  const options = data.fields
    // Our own columns are named in the file's words.
    .map((field) => ({
      field,
      label: /^[a-z]\w*$/.test(field) ? t(`office.imports.field.${field}` as StaffMessageKey) : field,
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  // Columns may have the same name: only their place tells them apart.
  const columns = data.columns.map((column, at) => ({ ...column, at }));
  return (
    <ul className="divide-y divide-line">
      {columns.map(({ name, example, at }) => (
        <li
          key={at}
          className="grid items-center gap-x-6 gap-y-2 py-2 form:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]"
        >
          <span className="min-w-0">
            <span className="block break-words font-semibold">{name}</span>
            <span className="block truncate text-ink-soft text-sm">{example}</span>
          </span>
          <SelectControl
            aria-label={`${t('office.imports.becomes')}: ${name}`}
            value={fields[at] ?? ''}
            onChange={({ target }) => onChange(fields.with(at, target.value || null))}
          >
            <option value="">{t('office.imports.skip')}</option>
            {options.map(({ field, label }) => (
              <option key={field} value={field}>
                {label}
              </option>
            ))}
          </SelectControl>
        </li>
      ))}
    </ul>
  );
}

const decimals = { found: '', point: '.', comma: ',' } as const;

interface OptionsProps {
  uses: ImportAnswer['uses'];
  chosen: Chosen;
  change: (more: Partial<Chosen>) => void;
}

function Options({ uses, chosen, change }: OptionsProps) {
  const { t, locale } = useLanguage();
  const { stores } = useMe().shop;
  const places = [
    { value: '', label: t('office.imports.noPlace') },
    { value: warehouse, label: t('office.papers.warehouse') },
    ...stores.map(({ id, nameContent }) => ({ value: id, label: inLocale(nameContent, locale) })),
  ];
  return (
    <div className="flex flex-col gap-4 py-3">
      <div className="grid gap-5 empty:hidden product:grid-cols-2">
        {uses.includes('language') && offeredLocales().length > 1 && (
          <Select
            label={t('office.imports.language')}
            hint={t('office.imports.languageHint')}
            options={offeredLocales().map((value) => ({ value, label: locales[value].name }))}
            value={chosen.language}
            onChange={({ target }) => change({ language: target.value as Chosen['language'] })}
          />
        )}
        {uses.includes('place') && (
          <Select
            label={t('office.imports.place')}
            options={places}
            value={chosen.place ?? ''}
            onChange={({ target }) => change({ place: target.value || null })}
          />
        )}
        {uses.includes('decimal') && (
          <Select
            label={t('office.imports.decimal')}
            options={(['found', 'point', 'comma'] as const).map((each) => ({
              value: decimals[each],
              label: t(`office.imports.decimal.${each}`),
            }))}
            value={chosen.decimal ?? ''}
            onChange={({ target }) => change({ decimal: (target.value || null) as Chosen['decimal'] })}
          />
        )}
      </div>
      {uses.includes('invite') && (
        <Checkbox
          label={t('office.imports.invite')}
          hint={t('office.imports.inviteHint')}
          checked={chosen.invite}
          onChange={({ target }) => change({ invite: target.checked })}
        />
      )}
      {uses.includes('drafts') && (
        <Checkbox
          label={t('office.imports.drafts')}
          hint={t('office.imports.draftsHint')}
          checked={chosen.drafts}
          onChange={({ target }) => change({ drafts: target.checked })}
        />
      )}
      {uses.includes('dropVariants') && (
        <Checkbox
          label={t('office.imports.dropVariants')}
          hint={t('office.imports.dropVariantsHint')}
          checked={chosen.dropVariants}
          onChange={({ target }) => change({ dropVariants: target.checked })}
        />
      )}
    </div>
  );
}
