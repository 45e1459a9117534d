/** Cancels an order: why, what is refunded, and whether the items go back on sale and the buyer is told. */
import { useState } from 'react';
import { parseAmount } from '#contract/money.ts';
import { capitalised } from '#contract/problems.ts';
import { cashBackOfAll, goodsTaken, restTaken } from '#contract/rules/refund-parts.ts';
import { reasonText } from '#contract/staff/messages.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import type { FieldTexts } from '#ui/errors.ts';
import { useForm } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, Select, TextArea, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { SendForm } from '../../lib/send-form.tsx';
import { CashBack } from './order-parts.tsx';

type Cancellable = NonNullable<OrderSheet['cancellable']>;
/** The usual ones, as `orders.reason.…` says them. */
const cancelReasons = [
  'customer asked',
  'out of stock',
  'not picked up',
  'placed by mistake',
  'suspected fraud',
] as const;
const other = 'other';
const refunds = ['all', 'part', 'none'] as const;

/** Absent once the order has left the shop, or is over. */
export function CancelOrder({ sheet }: { sheet: OrderSheet }) {
  const { t, may } = useOffice();
  const [open, setOpen] = useState(false);
  const { cancellable } = sheet;
  if (!cancellable || !may.includes('orders.move')) return null;
  return (
    <>
      <Button
        label={t(`office.cancel.${cancellable.what}`)}
        variant="secondary"
        onClick={() => setOpen(true)}
      />
      {open && <CancelDialog sheet={sheet} cancellable={cancellable} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Chosen {
  reason: string;
  words: string;
  refund: (typeof refunds)[number];
  amount: string;
  note: string;
  restock: boolean;
  mail: boolean;
}

/** What goes back to the buyer, cents; null while a part is not typed in full, or is more than can go back. */
function refundOf({ refund, amount }: Chosen, most: number, currency: string): number | null {
  if (refund !== 'part') return refund === 'all' ? most : 0;
  const typed = parseAmount(amount, currency);
  return typed !== null && typed > 0 && typed <= most ? typed : null;
}

/** Above the most, the hint is what is wrong. */
const amountWords = ({ errors }: { errors: FieldTexts }, atMost: string, isTooMuch: boolean) =>
  isTooMuch ? { error: atMost } : { hint: atMost, error: errors.amount };

function useCancel(
  { order, version, refundable }: OrderSheet,
  { what, most }: Cancellable,
  onClose: () => void,
) {
  const { call, queries } = useOffice();
  const once = useOnce();
  const number = order.orderNumber ?? '';
  const { currency } = order.bill;
  const initial: Chosen = {
    reason: '',
    words: '',
    refund: 'all',
    amount: '',
    note: '',
    restock: true,
    mail: Boolean(order.orderContact?.email),
  };
  const form = useForm({
    initial,
    send: (chosen) => {
      const { restock, mail } = chosen;
      const words = {
        reason: chosen.reason === other ? chosen.words : chosen.reason,
        note: mail ? chosen.note : '',
      };
      const body = { ...words, restock, mail, version, most };
      const params = { number };
      return most > 0
        ? call('cancelOrderBack', {
            params,
            body: { ...body, refund: refundOf(chosen, most, currency) ?? 0 },
            once,
          })
        : call('cancelOrder', { params, body, once });
    },
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['order', number] });
      onClose();
    },
    onRejected: () => void queries.invalidateQueries({ queryKey: ['order', number] }),
  });
  const { reason, words } = form.values;
  const back = refundOf(form.values, most, currency);
  // Once a part is shipped, what is refunded is of the goods that are not.
  const take = what === 'rest' ? goodsTaken : restTaken;
  const cash = cashBackOfAll(take(refundable.payments, back ?? 0), refundable.cashStep);
  return {
    form,
    back: back ?? 0,
    cash,
    isReady: back !== null && (reason === other ? words.trim() !== '' : reason !== ''),
  };
}

interface CancelDialogProps {
  sheet: OrderSheet;
  cancellable: Cancellable;
  onClose: () => void;
}

function CancelDialog({ sheet, cancellable, onClose }: CancelDialogProps) {
  const { t, locale, may } = useOffice();
  const shared = useT();
  const { order } = sheet;
  const { what, most } = cancellable;
  const { form, back, cash, isReady } = useCancel(sheet, cancellable, onClose);
  const { reason, refund, mail } = form.values;
  const money = (cents: number) => formatMoney(cents, locale, order.bill.currency);
  const atMost = t('office.cancel.atMost', { amount: money(most) });
  const mayCancel = most === 0 || may.includes('orders.refund');
  const title = t(`office.cancel.${what}`);
  return (
    <Dialog open onClose={onClose} title={title} className="form:w-[36rem]">
      {what === 'rest' && <p>{t('office.cancel.restHint')}</p>}
      {!mayCancel && <Notice title={shared('error.forbidden')} />}
      <SendForm
        form={form}
        label={back > 0 && isReady ? t(`office.cancel.${what}Refund`, { amount: money(back) }) : title}
        disabled={!isReady || !mayCancel}
      >
        <Select
          {...form.field('reason')}
          label={t('office.cancel.reason')}
          placeholder={t('office.cancel.choose')}
          options={[...cancelReasons, other].map((value) => ({
            value,
            label: value === other ? t('office.cancel.other') : capitalised(reasonText(t, value)),
          }))}
        />
        {reason === other && (
          <TextField {...form.field('words')} label={t('office.refund.reason')} maxLength={300} />
        )}
        {most > 0 && (
          <Select
            {...form.field('refund')}
            label={t('office.cancel.refund')}
            options={refunds.map((value) => ({
              value,
              label: t(`office.cancel.refund.${value}`, { amount: money(most) }),
            }))}
          />
        )}
        {most > 0 && refund === 'part' && (
          <TextField
            {...form.field('amount')}
            label={t('office.order.take.amount')}
            {...amountWords(form, atMost, (parseAmount(form.values.amount, order.bill.currency) ?? 0) > most)}
            inputMode="decimal"
          />
        )}
        <div className="flex flex-col">
          <Checkbox label={t('office.cancel.restock')} {...form.tick('restock')} />
          {order.orderContact?.email && (
            <Checkbox
              label={t(most > 0 ? 'office.cancel.mailRefund' : 'office.cancel.mail')}
              {...form.tick('mail')}
            />
          )}
        </div>
        <CashBack cash={cash} currency={order.bill.currency} />
        {mail && (
          <TextArea {...form.field('note')} label={t('office.refund.note')} rows={2} maxLength={1000} />
        )}
      </SendForm>
    </Dialog>
  );
}
