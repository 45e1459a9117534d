/** The dialog that records money taken at the till. */
import { type CounterKind, counterKinds } from '#contract/limits.ts';
import type { Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { Select, TextField } from '#ui/inputs.tsx';
import { useOffice } from '../../lib/me.tsx';

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
      <form {...form.formProps} className="flex flex-col gap-5">
        <p>{t('office.orders.due', { amount: formatMoney(due, locale, bill.currency) })}</p>
        <FormProblem>{form.problem}</FormProblem>
        <Select
          label={t('office.take.how')}
          options={counterKinds.map((value) => ({ value, label: t(`office.order.by.${value}`) }))}
          value={form.values.kind}
          onChange={(event) => form.change({ kind: event.target.value as CounterKind })}
        />
        <TextField {...form.field('amount')} label={t('office.take.amount')} inputMode="decimal" />
        <Button type="submit" busy={form.busy} disabled={!isSum}>
          {t('office.take.send', { amount: formatMoney(isSum ? cents : 0, locale, bill.currency) })}
        </Button>
      </form>
    </Dialog>
  );
}
