/** Reads a statement of the bank: what it finds is shown before anything is kept. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { formatMoney } from '#contract/formatters.ts';
import type { Statement } from '#contract/staff/settlements.ts';
import { Button } from '#ui/button.tsx';
import { formatCalendarDay } from '#ui/format.ts';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { Table } from './payout-list.tsx';

type Columns = Partial<Record<'day' | 'amount' | 'description', string>>;

export function StatementPart() {
  const { t, call, queries } = useOffice();
  const [file, setFile] = useState<File | null>(null);
  const [columns, setColumns] = useState<Columns>({});
  const read = useMutation({
    mutationFn: ({ of, apply, chosen }: { of: File; apply: 'yes' | 'no'; chosen: Columns }) =>
      call('readStatement', {
        query: { ...chosen, apply },
        // Whatever type the system gives it, the body is only bytes.
        file: new File([of], of.name, { type: 'application/octet-stream' }),
      }),
    onSuccess: ({ applied }) =>
      applied
        ? queries.invalidateQueries({
            predicate: ({ queryKey }) => String(queryKey[0]).startsWith('settlement'),
          })
        : undefined,
  });
  const look = (of: File, chosen: Columns) => {
    setFile(of);
    setColumns(chosen);
    read.mutate({ of, apply: 'no', chosen });
  };
  return (
    <section className="flex flex-col gap-5">
      <p className="max-w-[44rem] text-ink-soft">{t('office.payouts.bank.intro')}</p>
      <label className="flex min-h-28 max-w-[44rem] cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-line-strong border-dashed p-6 text-center focus-within:outline-2">
        <span className="font-semibold" role="status">
          {t(read.isPending ? 'office.payouts.bank.reading' : 'office.payouts.bank.choose')}
        </span>
        <span className="text-ink-soft text-sm">{t('office.payouts.bank.chooseHint')}</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,.xlsx,text/csv"
          className="sr-only"
          aria-label={t('office.payouts.bank.choose')}
          onChange={({ target }) => {
            const [chosen] = target.files ?? [];
            if (chosen && !read.isPending) look(chosen, {});
            target.value = '';
          }}
        />
      </label>
      <Problem error={read.error} />
      {read.data && file && (
        <Found
          statement={read.data}
          columns={columns}
          busy={read.isPending}
          onColumns={(chosen) => look(file, chosen)}
          onApply={() => read.mutate({ of: file, apply: 'yes', chosen: columns })}
        />
      )}
    </section>
  );
}

interface FoundProps {
  statement: Statement;
  columns: Columns;
  busy: boolean;
  onColumns: (columns: Columns) => void;
  onApply: () => void;
}

function Found({ statement, columns, busy, onColumns, onApply }: FoundProps) {
  const { t, locale, shop } = useOffice();
  const { kept, lines, known, matched, applied, problems, examples } = statement;
  const words = { day: t('office.payouts.column.day'), amount: t('office.payouts.column.amount') };
  if (applied) return <Notice tone="good" title={t('office.payouts.bank.done', { matched })} />;
  return (
    <div className="flex max-w-room flex-col gap-5">
      <div className="flex flex-wrap gap-4">
        {(['day', 'amount', 'description'] as const).map((name) => (
          <Select
            key={name}
            className="w-56"
            label={name === 'description' ? t('office.payouts.column.description') : words[name]}
            placeholder="–"
            options={statement.columns.map((value) => ({ value, label: value }))}
            value={columns[name] ?? statement[name] ?? ''}
            onChange={({ target }) => onColumns({ ...columns, [name]: target.value })}
          />
        ))}
      </div>
      {problems.length > 0 && (
        <Notice tone="bad" silent title={problems[0]}>
          {problems.slice(1).map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
        </Notice>
      )}
      <p role="status">{t('office.payouts.bank.found', { kept, lines, known })}</p>
      {examples.length > 0 && (
        <Table
          label={t('office.payouts.bank')}
          heads={(['day', 'amount', 'description'] as const).map((name) =>
            t(`office.payouts.column.${name}`),
          )}
          numbers={[1]}
        >
          {examples.map(({ day, amount, description }) => (
            <tr key={`${day} ${amount} ${description}`}>
              <td>{formatCalendarDay(day, locale, 'date')}</td>
              <td>{formatMoney(amount, locale, shop.currency)}</td>
              <td className="whitespace-normal! break-words">{description}</td>
            </tr>
          ))}
        </Table>
      )}
      <Button
        label={t('office.payouts.bank.apply')}
        className="self-start"
        busy={busy}
        disabled={lines === 0 || problems.length > 0}
        onClick={onApply}
      />
    </div>
  );
}
