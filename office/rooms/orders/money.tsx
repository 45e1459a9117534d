/** The dialogs that record money taken at the till, and that refund parts of an order: what each unit comes to is the server's. */
import { type CounterKind, counterKinds } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { Checkbox, Select, TextArea, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';
import { SendForm } from '../../lib/send-form.tsx';
import { LineText, Stepper } from './order-parts.tsx';

export function TakeDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t, locale, call, queries } = useOffice();
  const { orderNumber, due = 0, bill } = order;
  const form = useForm({
    initial: { amount: (due / 100).toFixed(2), kind: 'cash' as CounterKind },
    send: ({ kind }) => call('takeMoney', { params: { number: orderNumber ?? '' }, body: { kind, amount: cents } }),
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['order', orderNumber] });
      onClose();
    },
  });
  const cents = Math.round(Number(form.values.amount.replace(',', '.')) * 100);
  const isSum = cents > 0 && cents <= due;
  return (
    <Dialog open onClose={onClose} title={t('office.take.title')}>
      <p>{t('office.orders.due', { amount: formatMoney(due, locale, bill.currency) })}</p>
      <SendForm
        form={form}
        label={t('office.take.send', { amount: formatMoney(isSum ? cents : 0, locale, bill.currency) })}
        disabled={!isSum}
      >
        <Select
          label={t('office.take.how')}
          options={counterKinds.map((value) => ({ value, label: t(`office.order.by.${value}`) }))}
          {...form.field('kind')}
        />
        <TextField {...form.field('amount')} label={t('office.take.amount')} inputMode="decimal" />
      </SendForm>
    </Dialog>
  );
}

const partNames = ['shipping', 'serviceCharge', 'tip'] as const;
type Wanted = { units: Readonly<Record<string, number>> } & Record<(typeof partNames)[number], boolean>;

/** What is chosen, what it comes to, and the call that refunds it. */
function useRefund({ order, refundable, unsent }: OrderSheet, onClose: () => void) {
  const { call, queries } = useOffice();
  const parts = partNames.filter((name) => refundable[name] > 0);
  const sumOf = ({ units, ...chosen }: Wanted): number =>
    refundable.lines.reduce((sum, { line, amounts }) => sum + (amounts[(units[line] ?? 0) - 1] ?? 0), 0) +
    parts.reduce((sum, name) => sum + (chosen[name] ? refundable[name] : 0), 0);
  const unsentOf = (line: string) => unsent.find((each) => each.line === line)?.quantity ?? 0;
  const form = useForm({
    initial: {
      ...{ units: {} as Readonly<Record<string, number>>, shipping: false, serviceCharge: false, tip: false },
      ...{ restock: true, notSent: true, reason: '', note: '' },
    },
    send: (wanted) => {
      const { units, tip, notSent, ...rest } = wanted;
      const lines = Object.entries(units).flatMap(([line, quantity]) =>
        quantity > 0 ? { line, quantity, unsent: notSent ? Math.min(quantity, unsentOf(line)) : 0 } : [],
      );
      return call('refundOrder', {
        params: { number: order.orderNumber ?? '' },
        body: { ...rest, lines, tip: tip ? refundable.tip : 0, amount: sumOf(wanted), restock: rest.restock && lines.length > 0 },
      });
    },
    onSent: async () => {
      await queries.invalidateQueries({ queryKey: ['order', order.orderNumber] });
      onClose();
    },
  });
  /** Whether the buyer still waits for some of what is chosen. */
  const isAwaited = Object.entries(form.values.units).some(([line, quantity]) => quantity > 0 && unsentOf(line) > 0);
  return { form, parts, amount: sumOf(form.values), isAwaited };
}

export function RefundDialog({ sheet, onClose }: { sheet: OrderSheet; onClose: () => void }) {
  const { t, locale } = useOffice();
  const { form, parts, amount, isAwaited } = useRefund(sheet, onClose);
  const { order, refundable } = sheet;
  const money = (cents: number) => formatMoney(cents, locale, order.bill.currency);
  const { values, change } = form;
  return (
    <Dialog open onClose={onClose} title={t('office.refund.title')} className="form:w-[40rem]">
      <SendForm
        form={form}
        label={t('office.refund.send', { amount: money(amount) })}
        disabled={amount === 0 || amount > refundable.most}
      >
        <ul className="divide-y divide-line border-line border-y">
          {refundable.lines.map(({ line, amounts }) => (
            <UnitsOfLine
              key={line}
              item={order.lineItems.find(({ id }) => id === line)}
              most={amounts.length}
              sent={sentOf(order, line)}
              units={values.units[line] ?? 0}
              onChange={(quantity) => change({ units: { ...values.units, [line]: quantity } })}
            />
          ))}
        </ul>
        <div className="flex flex-col">
          {parts.map((name) => (
            <Checkbox key={name} label={t(`office.refund.${name}`, { amount: money(refundable[name]) })} {...form.tick(name)} />
          ))}
          {isAwaited && <Checkbox label={t('office.refund.notSent')} {...form.tick('notSent')} />}
          <Checkbox label={t('office.refund.restock')} {...form.tick('restock')} />
        </div>
        <TextField {...form.field('reason')} label={t('office.refund.reason')} maxLength={300} />
        <TextArea {...form.field('note')} label={t('office.refund.note')} rows={2} maxLength={1000} />
        {amount > refundable.most && <p className="text-clay">{t('office.refund.most', { amount: money(refundable.most) })}</p>}
      </SendForm>
    </Dialog>
  );
}

const sentOf = ({ shipments = [] }: OrderSheet['order'], line: string): number =>
  shipments.flatMap(({ lines }) => lines).reduce((sum, each) => sum + (each.line === line ? each.quantity : 0), 0);

interface UnitsOfLineProps {
  item: OrderSheet['order']['lineItems'][number] | undefined;
  /** Units that are not refunded yet. */
  most: number;
  /** Units in parcels. */
  sent: number;
  units: number;
  onChange: (units: number) => void;
}

function UnitsOfLine({ item, most, sent, units, onChange }: UnitsOfLineProps) {
  const { t } = useOffice();
  if (!item) return null;
  const { productName: product } = item;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <LineText line={item} />
        {sent > 0 && <p className="text-sm">{t('office.refund.sent', { count: sent })}</p>}
      </div>
      {most === 0 ? (
        <span className="text-ink-soft text-sm">{t('office.order.refund.done')}</span>
      ) : (
        <fieldset className="flex flex-none items-center gap-1">
          <legend className="sr-only">{t('office.refund.units', { product })}</legend>
          <Stepper {...{ product, most, onChange }} quantity={units} text={t('office.refund.of', { units, most })} />
        </fieldset>
      )}
    </li>
  );
}
