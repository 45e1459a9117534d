/** What each column of a file is imported as, and the options of the import. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { warehouse } from '#contract/limits.ts';
import { inLocale, localeCodes, locales } from '#contract/locales.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import type { ImportAnswer } from '#contract/staff/imports.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, Select, SelectControl } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';

type Chosen = StaffBody<'changeImport'>;

export function ImportColumns({ import: data }: { import: ImportAnswer }) {
  const { t } = useLanguage();
  const shared = useT();
  const call = useCall();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<Chosen>({
    kind: data.kind,
    fields: data.columns.map(({ field }) => field),
    ...data.options,
  });
  const change = (more: Partial<Chosen>) => setChosen((before) => ({ ...before, ...more }));
  const save = useMutation({
    mutationFn: (body: Chosen) => call('changeImport', { params: { import: data.id }, body }),
    onSuccess: (answer) => queries.setQueryData(['import', data.id], answer),
  });
  const unplaced = data.columns.filter(({ example }, at) => example !== '' && chosen.fields[at] === null);
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(chosen);
      }}
    >
      {save.error && <Notice tone="bad" title={errorText(save.error, shared)} />}
      {data.remembered && <Notice title={t('office.imports.remembered')} />}
      {unplaced.length > 0 && (
        <p className="text-ink-soft">{t('office.imports.unplaced', { columns: unplaced.map(({ name }) => name).join(', ') })}</p>
      )}
      <details className="rounded-md border border-line px-4">
        <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{t('office.imports.columns')}</summary>
        <Select
          label={t('office.imports.kind')}
          className="max-w-96 py-3"
          options={data.kinds.map((value) => ({ value, label: t(`office.imports.kind.${value}`) }))}
          value={chosen.kind}
          onChange={({ target }) => save.mutate({ ...chosen, kind: target.value as Chosen['kind'] })}
        />
        <ColumnList data={data} fields={chosen.fields} onChange={(fields) => change({ fields })} />
      </details>
      {data.uses.some((use) => use !== 'places' && use !== 'people') && (
        <details className="rounded-md border border-line px-4">
          <summary className="flex min-h-11 cursor-pointer items-center font-semibold">{t('office.imports.options')}</summary>
          <Options uses={data.uses} chosen={chosen} change={change} />
        </details>
      )}
      <Button type="submit" variant="secondary" className="self-start" busy={save.isPending}>
        {t('office.imports.again')}
      </Button>
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
    .map((field) => ({ field, label: /^[a-z]\w*$/.test(field) ? t(`office.imports.field.${field}` as StaffMessageKey) : field }))
    .toSorted((a, b) => a.label.localeCompare(b.label));
  // Columns may have the same name: only their place tells them apart.
  const columns = data.columns.map((column, at) => ({ ...column, at }));
  return (
    <ul className="divide-y divide-line">
      {columns.map(({ name, example, at }) => (
        <li key={at} className="grid items-center gap-x-6 gap-y-2 py-2 form:grid-cols-[minmax(0,1fr)_minmax(0,18rem)]">
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
        {uses.includes('language') && (
          <Select
            label={t('office.imports.language')}
            hint={t('office.imports.languageHint')}
            options={localeCodes.map((value) => ({ value, label: locales[value].name }))}
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
      </div>
      {uses.includes('invite') && (
        <Checkbox
          label={t('office.imports.invite')}
          hint={t('office.imports.inviteHint')}
          checked={chosen.invite}
          onChange={({ target }) => change({ invite: target.checked })}
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
