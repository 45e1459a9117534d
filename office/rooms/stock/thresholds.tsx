import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { neverLow } from '#contract/limits.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';

const unitsIn = (text: string) => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : null);

function useSaved(save: (units: number | null) => Promise<unknown>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: save,
    onSuccess: () =>
      queries.invalidateQueries({
        predicate: ({ queryKey: [first] }) => ['stock', 'stock-low', 'stock-of'].includes(String(first)),
      }),
  });
}

/** Of the shop. Whoever works in some stores only reads it. */
export function UsualLow({ usual }: { usual: number }) {
  const { t, call, may, stores } = useOffice();
  const shared = useT();
  const [text, setText] = useState(String(usual));
  const [isWrong, setWrong] = useState(false);
  const save = useSaved((units) => call('setUsualLowStock', { body: { units: units ?? 0 } }));
  if (stores !== null || !may.includes('stock.adjust')) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const units = unitsIn(text);
    setWrong(units === null);
    if (units !== null) save.mutate(units);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-wrap items-end gap-3">
      <TextField
        className="max-w-[26rem] flex-1 [&_input]:w-28"
        label={t('office.stock.lowUsual')}
        hint={t('office.stock.lowUsualHint')}
        inputMode="numeric"
        value={text}
        error={isWrong ? t('office.stock.number') : save.error ? errorText(save.error, shared) : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        label={t('office.stock.lowSave')}
        type="submit"
        variant="secondary"
        busy={save.isPending}
        done={save.isSuccess}
      />
    </form>
  );
}

interface OwnLowProps {
  place: string;
  sku: string;
  low: number;
  ownLow: boolean;
  usual: number | null;
}

export function OwnLow({ place, sku, low, ownLow, usual }: OwnLowProps) {
  const { t, call } = useOffice();
  const [never, setNever] = useState(ownLow && low === neverLow);
  const [text, setText] = useState(ownLow && low !== neverLow ? String(low) : '');
  const [isWrong, setWrong] = useState(false);
  const save = useSaved((units) => call('setLowStock', { params: { place, sku }, body: { units } }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isEmpty = text.trim() === '';
    const units = unitsIn(text);
    setWrong(!never && !isEmpty && units === null);
    if (never || isEmpty || units !== null) save.mutate(never ? neverLow : isEmpty ? null : units);
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3">
      <Problem error={save.error} />
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          className="flex-1 [&_input]:w-28"
          label={t('office.stock.lowFrom')}
          hint={usual === null ? undefined : t('office.stock.lowFromHint', { units: usual })}
          inputMode="numeric"
          disabled={never}
          value={never ? '' : text}
          error={isWrong ? t('office.stock.number') : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <Button
          label={t('office.stock.lowSave')}
          type="submit"
          variant="secondary"
          busy={save.isPending}
          done={save.isSuccess}
        />
      </div>
      <Checkbox
        label={t('office.stock.lowNever')}
        checked={never}
        onChange={({ target }) => setNever(target.checked)}
      />
    </form>
  );
}
