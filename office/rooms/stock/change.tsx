/** Changes the units of a SKU at a place: counted, come, gone, or moved to another place. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { StockLevel, StockMovement } from '#contract/staff/stock.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Select, type SelectOption, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { Notice } from '#ui/notice.tsx';
import { useCall } from '../../lib/api.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';
import { newKey } from './key.ts';
import { usePlaces } from './places.ts';
import { SoldOutButton, type SoldOutToday } from './sold-out.tsx';

const kinds = ['add', 'take', 'count', 'transfer'] as const;
const reasons = ['received', 'found', 'damaged', 'lost', 'used', 'other'] as const satisfies readonly StockMovement['reason'][];

interface ChangeProps {
  place: string;
  level: StockLevel;
  soldOut: SoldOutToday;
  onClose: () => void;
}

interface Entered {
  kind: (typeof kinds)[number];
  text: string;
  reason: (typeof reasons)[number];
  note: string;
  to: string;
}

/** What is being entered, and sending it. */
function useChange({ place, level: { sku, units: forSale, held }, onClose }: ChangeProps, first: Entered) {
  const call = useCall();
  const queries = useQueryClient();
  const [entered, setEntered] = useState(first);
  const [isWrong, setWrong] = useState(false);
  const { kind, text, reason, to } = entered;
  const note = entered.note.trim();
  const number = /^\d{1,6}$/.test(text.trim()) ? Number(text) : null;
  // The same again, as after a lost answer, has the same key and is booked once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another change is another key
  const key = useMemo(newKey, [entered]);
  const save = useMutation({
    mutationFn: (units: number) => {
      const params = { place, sku };
      const own = { key, ...(note === '' ? {} : { note }) };
      if (kind === 'count') return call('countStock', { params, body: { ...own, expected: forSale + held, found: units } });
      if (kind === 'transfer') return call('transferStock', { params, body: { ...own, to, units } });
      return call('correctStock', { params, body: { ...own, units: kind === 'add' ? units : -units, reason } });
    },
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({
        predicate: ({ queryKey: [name] }) => ['stock', 'stock-of', 'stock-low'].includes(String(name)),
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isValid = number !== null && (kind === 'count' || number > 0);
    setWrong(!isValid);
    if (isValid && !save.isPending) save.mutate(number);
  };
  const enter = (part: Partial<Entered>) => setEntered({ ...entered, ...part });
  return { entered, enter, isWrong, save, submit };
}

export function ChangeDialog(props: ChangeProps) {
  const { place, level, soldOut, onClose } = props;
  const { t, locale } = useLanguage();
  const shared = useT();
  const others = usePlaces().filter(({ value }) => value !== place);
  const mayAdjust = useMe().may.includes('stock.adjust');
  const first = {
    kind: mayAdjust ? kinds[0] : 'count',
    text: '',
    reason: reasons[0],
    note: '',
    to: others[0]?.value ?? '',
  } as const;
  const { entered, enter, isWrong, save, submit } = useChange(props, first);
  const offered = kinds.filter((each) => each === 'count' || (mayAdjust && (each !== 'transfer' || others.length > 0)));
  return (
    <Dialog open onClose={onClose} title={`${inLocale(level.name, locale)} · ${level.sku}`}>
      <SoldOutButton level={level} soldOut={soldOut} />
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        {save.error && <Notice tone="bad" title={errorText(save.error, shared)} />}
        <Fields offered={offered} others={others} {...{ entered, enter, isWrong }} />
        <Button type="submit" busy={save.isPending}>
          {t('office.stock.book')}
        </Button>
      </form>
      <Link
        className="flex min-h-11 items-center underline"
        href={`/office/stock/${encodeURIComponent(level.sku)}?place=${encodeURIComponent(place)}`}
      >
        {t('office.stock.ledger')}
      </Link>
    </Dialog>
  );
}

interface FieldsProps extends Pick<ReturnType<typeof useChange>, 'entered' | 'enter' | 'isWrong'> {
  offered: readonly Entered['kind'][];
  others: SelectOption[];
}

function Fields({ offered, others, entered, enter, isWrong }: FieldsProps) {
  const { t } = useLanguage();
  const { kind } = entered;
  return (
    <>
      {offered.length > 1 && (
        <Select
          label={t('office.stock.what')}
          options={offered.map((value) => ({ value, label: t(`office.stock.${value}`) }))}
          value={kind}
          onChange={(event) => enter({ kind: event.target.value as typeof kind })}
        />
      )}
      <TextField
        label={t(kind === 'count' ? 'office.stock.found' : 'office.stock.units')}
        inputMode="numeric"
        value={entered.text}
        onChange={(event) => enter({ text: event.target.value })}
        error={isWrong ? t('office.stock.number') : undefined}
      />
      {kind === 'transfer' && (
        <Select
          label={t('office.stock.to')}
          options={others}
          value={entered.to}
          onChange={(event) => enter({ to: event.target.value })}
        />
      )}
      {(kind === 'add' || kind === 'take') && (
        <Select
          label={t('office.stock.reason')}
          options={reasons.map((value) => ({ value, label: t(`office.stock.did.${value}`) }))}
          value={entered.reason}
          onChange={(event) => enter({ reason: event.target.value as Entered['reason'] })}
        />
      )}
      <TextField
        label={t('office.stock.note')}
        hint={t('office.stock.noteHint')}
        optional
        maxLength={200}
        value={entered.note}
        onChange={(event) => enter({ note: event.target.value })}
      />
    </>
  );
}
