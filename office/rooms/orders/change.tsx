/** The dialog that changes the lines of a placed order, and shows what that comes to before it is booked. */
import { keepPreviousData, useIsMutating, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { billRows } from '#contract/bill-rows.ts';
import { inLocale } from '#contract/locales.ts';
import { canonicalSelections } from '#contract/rules/modifiers.ts';
import { cashBackOfAll, fromFirst, restTaken } from '#contract/rules/refund-parts.ts';
import type { LineChange } from '#contract/schemas/order.ts';
import type { ChangePreview } from '#contract/staff/order-changes.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { ApiError } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { type Once, useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { type Choice, ChooseItem } from './choose-item.tsx';
import { CashBack, Stepper } from './order-parts.tsx';

/** A line as it is to be. */
interface Draft {
  id: string;
  quantity: number;
  name: string;
  text: string;
  note: string;
  sku: string;
  /** What was chosen anew, or added. */
  choice?: Choice;
  /** Of the order; left out for a line that is added. */
  line?: OrderSheet['order']['lineItems'][number];
}

const draftsOf = ({ lineItems }: OrderSheet['order']): Draft[] =>
  lineItems.map((line) => ({
    id: line.id,
    quantity: line.quantity,
    name: line.productName,
    note: line.note,
    sku: line.sku,
    line,
    text: [line.optionText, line.modifierText].filter(Boolean).join(' · '),
  }));

function changesOf(drafts: readonly Draft[]): LineChange[] {
  return drafts.flatMap(({ line, quantity, choice }) => {
    const chosen = choice && {
      sku: choice.sku,
      modifiers: canonicalSelections(choice.modifiers),
      note: choice.note,
    };
    if (!line) return quantity > 0 ? [{ ...chosen, quantity }] : [];
    return quantity !== line.quantity || chosen ? [{ line: line.id, quantity, ...chosen }] : [];
  });
}

/** Ways of paying from which money can be taken back. */
function waysOf({ payments }: OrderSheet): string[] {
  const left = payments.filter(({ state, amount, refunded }) => state === 'succeeded' && amount > refunded);
  return [...new Set(left.map(({ kind, provider }) => kind ?? provider))];
}

export function ChangeDialog({ sheet, onClose }: { sheet: OrderSheet; onClose: () => void }) {
  const { t } = useOffice();
  const { order } = sheet;
  const [drafts, setDrafts] = useState(() => draftsOf(order));
  const [choosing, setChoosing] = useState<Draft | 'new'>();
  const place = {
    number: order.orderNumber ?? '',
    currency: order.bill.currency,
    storeId: order.localStoreName,
  };
  const change = (id: string, to: Partial<Draft>) =>
    setDrafts(drafts.map((draft) => (draft.id === id ? { ...draft, ...to } : draft)));
  const chosen = (choice: Choice) => {
    const shown = { choice, name: choice.name, text: choice.text, note: choice.note, sku: choice.sku };
    if (choosing === 'new') setDrafts([...drafts, { id: `new-${drafts.length}`, quantity: 1, ...shown }]);
    else if (choosing) change(choosing.id, shown);
    setChoosing(undefined);
  };
  if (choosing) {
    const present = choosing === 'new' ? undefined : (choosing.choice ?? presentOf(choosing));
    return (
      <Dialog
        open
        onClose={() => setChoosing(undefined)}
        title={t(present ? 'office.change.line' : 'office.change.new')}
        className="form:w-[40rem]"
      >
        <ChooseItem {...place} present={present} onChosen={chosen} />
      </Dialog>
    );
  }
  return (
    <Dialog open onClose={onClose} title={t('office.change.title')} className="form:w-[44rem]">
      <ul className="divide-y divide-line border-line border-y">
        {drafts.map((draft) => (
          <DraftLine
            key={draft.id}
            draft={draft}
            onQuantity={(quantity) => change(draft.id, { quantity })}
            onChoose={() => setChoosing(draft)}
          />
        ))}
      </ul>
      <Button variant="secondary" icon="plus" className="self-start" onClick={() => setChoosing('new')}>
        {t('office.change.new')}
      </Button>
      <Difference sheet={sheet} changes={changesOf(drafts)} onClose={onClose} />
    </Dialog>
  );
}

const presentOf = ({ line }: Draft) =>
  line && { sku: line.sku, modifiers: canonicalSelections(line.modifiers), note: line.note };

interface DraftLineProps {
  draft: Draft;
  onQuantity: (quantity: number) => void;
  onChoose: () => void;
}

function DraftLine({
  draft: { name, text, note, quantity, sku, line, choice },
  onQuantity,
  onChoose,
}: DraftLineProps) {
  const { t } = useOffice();
  const isChanged = Boolean(choice) || quantity !== line?.quantity;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className={quantity === 0 ? 'text-ink-soft line-through' : undefined}>
          {name}{' '}
          {isChanged && (
            <span className="text-clay text-sm">
              {t(quantity === 0 ? 'office.change.removed' : 'desk.changed')}
            </span>
          )}
        </p>
        {text && <p className="text-sm">{text}</p>}
        {note && <p className="font-semibold text-clay text-sm">“{note}”</p>}
        <p className="text-ink-soft text-sm">{sku}</p>
      </div>
      <fieldset className="flex flex-none items-center gap-1">
        <legend className="sr-only">{t('office.refund.units', { product: name })}</legend>
        <Button variant="quiet" aria-label={t('office.change.choose', { product: name })} onClick={onChoose}>
          {t('office.change.edit')}
        </Button>
        <Stepper product={name} quantity={quantity} most={98} onChange={onQuantity} />
      </fieldset>
    </li>
  );
}

function Difference({
  sheet,
  changes,
  onClose,
}: {
  sheet: OrderSheet;
  changes: LineChange[];
  onClose: () => void;
}) {
  const { t, call } = useOffice();
  const once = useOnce();
  const number = sheet.order.orderNumber ?? '';
  const isBooking = useIsMutating({ mutationKey: ['change-order', number] }) > 0;
  const { data, error, isPlaceholderData } = useQuery({
    // Asked again whenever the order changes, but not because of what is being booked.
    queryKey: ['order', number, 'change', changes],
    queryFn: () => call('previewChange', { params: { number }, body: { lines: changes } }),
    enabled: changes.length > 0 && !isBooking,
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (changes.length === 0) return <p className="text-ink-soft">{t('office.change.none')}</p>;
  // It may be what was just booked.
  if (error instanceof ApiError && error.body.errorKey === 'error.order.sameLines')
    return <p>{error.body.message}</p>;
  if (error) return <Problem error={error} />;
  if (!data) return null;
  return (
    <>
      <Bills preview={data} order={sheet.order} />
      <Booking
        once={once}
        sheet={sheet}
        changes={changes}
        preview={data}
        isOutdated={isPlaceholderData}
        onClose={onClose}
      />
    </>
  );
}

interface BookingProps {
  once: Once;
  sheet: OrderSheet;
  changes: LineChange[];
  preview: ChangePreview;
  /** The preview is that of the changes before the last ones. */
  isOutdated: boolean;
  onClose: () => void;
}

function Booking({ once, sheet, changes, preview, isOutdated, onClose }: BookingProps) {
  const { t, locale, may, call, queries } = useOffice();
  const shared = useT();
  const [from, setFrom] = useState('');
  const { order } = sheet;
  const number = order.orderNumber ?? '';
  const refresh = () => queries.invalidateQueries({ queryKey: ['order', number] });
  const book = useMutation({
    mutationKey: ['change-order', number],
    mutationFn: ({ version, back }: ChangePreview) =>
      call(back > 0 ? 'changeOrderBack' : 'changeOrder', {
        params: { number },
        body: { lines: changes, version, ...(from ? { from } : {}) },
        once,
      }),
    // The order is as it was changed once the dialog has gone: a next change begins with that.
    onSuccess: async () => {
      await refresh();
      onClose();
    },
    onError: refresh,
  });
  const money = (cents: number) => formatMoney(cents, locale, preview.after.currency);
  const { back, due } = preview;
  const ways = waysOf(sheet);
  const { payments, cashStep } = sheet.refundable;
  const cash = cashBackOfAll(restTaken(fromFirst(payments, from), back), cashStep);
  const mayBook = back === 0 || may.includes('orders.refund');
  return (
    <>
      <p className="font-semibold" aria-live="polite">
        {back > 0
          ? t('office.change.back', { amount: money(back) })
          : due > 0
            ? t(order.orderReserved && !order.paid ? 'office.change.dueInStore' : 'office.change.due', {
                amount: money(due),
              })
            : t('office.change.even')}
      </p>
      {back > 0 && ways.length > 1 && (
        <Select
          label={t('office.change.from')}
          options={[
            { value: '', label: t('office.change.fromNewest') },
            ...ways.map((way) => ({
              value: way,
              label:
                way === 'cash' || way === 'terminal' || way === 'other' ? t(`office.order.by.${way}`) : way,
            })),
          ]}
          value={from}
          onChange={(event) => setFrom(event.target.value)}
        />
      )}
      <CashBack cash={cash} currency={preview.after.currency} />
      <Problem error={book.error} />
      {!mayBook && <Notice title={shared('error.forbidden')} />}
      <Button busy={book.isPending} disabled={isOutdated || !mayBook} onClick={() => book.mutate(preview)}>
        {back > 0 ? t('office.change.bookBack', { amount: money(back) }) : t('office.change.book')}
      </Button>
    </>
  );
}

function Bills({
  preview: { before, after },
  order: { method },
}: {
  preview: ChangePreview;
  order: OrderSheet['order'];
}) {
  const { t, locale } = useOffice();
  const shared = useT();
  const rowsOf = (bill: ChangePreview['after']) =>
    billRows(bill, { method }).map(({ kind, label, cents }) => ({
      label: 'key' in label ? shared(label.key, label.values) : inLocale(label.text, locale),
      kind,
      cents,
    }));
  const [old, present] = [rowsOf(before), rowsOf(after)];
  const labels = [...new Map([...old, ...present].map((row) => [row.label, row.kind])).entries()];
  labels.sort(([, a], [, b]) => Number(a === 'total') - Number(b === 'total'));
  const amount = (rows: typeof old, label: string) => {
    const cents = rows.find((row) => row.label === label)?.cents;
    return cents == null ? '–' : formatMoney(cents, locale, after.currency);
  };
  return (
    <table className="w-full tabular-nums">
      <thead>
        <tr className="text-left text-ink-soft text-sm">
          <th scope="col">
            <span className="sr-only">{t('office.change.row')}</span>
          </th>
          <th scope="col" className="text-right font-normal">
            {t('office.change.before')}
          </th>
          <th scope="col" className="text-right font-normal">
            {t('office.change.after')}
          </th>
        </tr>
      </thead>
      <tbody>
        {labels.map(([label, kind]) => (
          <tr key={label} className={kind === 'total' ? 'border-line border-t font-semibold' : undefined}>
            <th scope="row" className="py-1 text-left font-normal">
              {label}
            </th>
            <td className="py-1 text-right">{amount(old, label)}</td>
            <td className="py-1 text-right">{amount(present, label)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
