/** The dialog that refunds parts of an order. What each unit comes to is the server's; here it is only added up. */
import type { OrderSheet } from '#contract/staff/orders.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { Checkbox, TextArea, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';
import { LineText } from './order-lines.tsx';

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
      <form {...form.formProps} className="flex flex-col gap-5">
        <FormProblem>{form.problem}</FormProblem>
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
            <Checkbox
              key={name}
              label={t(`office.refund.${name}`, { amount: money(refundable[name]) })}
              checked={values[name]}
              onChange={(event) => change({ [name]: event.target.checked })}
            />
          ))}
          {isAwaited && (
            <Checkbox
              label={t('office.refund.notSent')}
              checked={values.notSent}
              onChange={(event) => change({ notSent: event.target.checked })}
            />
          )}
          <Checkbox
            label={t('office.refund.restock')}
            checked={values.restock}
            onChange={(event) => change({ restock: event.target.checked })}
          />
        </div>
        <TextField {...form.field('reason')} label={t('office.refund.reason')} maxLength={300} />
        <TextArea
          label={t('office.refund.note')}
          rows={2}
          maxLength={1000}
          value={values.note}
          onChange={(event) => change({ note: event.target.value })}
        />
        {amount > refundable.most && <p className="text-clay">{t('office.refund.most', { amount: money(refundable.most) })}</p>}
        <Button type="submit" busy={form.busy} disabled={amount === 0 || amount > refundable.most}>
          {t('office.refund.send', { amount: money(amount) })}
        </Button>
      </form>
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
          <IconButton
            icon="minus"
            label={t('office.refund.fewer', { product })}
            disabled={units === 0}
            onClick={() => onChange(units - 1)}
          />
          <output className="min-w-14 text-center tabular-nums">{t('office.refund.of', { units, most })}</output>
          <IconButton
            icon="plus"
            label={t('office.refund.more', { product })}
            disabled={units === most}
            onClick={() => onChange(units + 1)}
          />
        </fieldset>
      )}
    </li>
  );
}
