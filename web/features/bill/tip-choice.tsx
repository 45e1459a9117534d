import { useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import { decimalText, parseAmount } from '#contract/money.ts';
import { tipErrors } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { Field } from '#ui/field.tsx';
import { useForm } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { announce } from '#ui/page.tsx';
import { useApi } from '#web/lib/api.ts';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { type BillEdit, useBillChange } from './bill.tsx';

/** SPEC §4: percentages with their amounts, a custom amount, or no tip. Renders nothing if tips are not offered. */
export function TipChoice({
  order,
  method,
  edit,
}: {
  order: Order;
  method: CheckoutMethod | null;
  edit: BillEdit;
}) {
  const t = useT();
  const locale = useLocale();
  const tip = useTip(order, method, edit);
  if (!order.tips || !offersTips(order, method)) return null;

  const { currency } = order.bill;
  const current = currentChoice(order);
  const value = tip.pressed ?? current;
  // If a discount covers the items, every percentage is zero and none of them is a choice.
  const shares = order.tips.choices.filter(
    ({ amount, percent }) => amount > 0 || String(percent) === current,
  );
  return (
    <section className="flex flex-col gap-3" aria-busy={tip.busy || undefined}>
      <OptionChips
        legend={t('tip.title')}
        error={tip.problem}
        value={value}
        onChange={tip.choose}
        options={[
          { value: 'none', label: t('tip.none') },
          ...shares.map(({ percent, amount }) => ({
            value: String(percent),
            label: `${percent}%`,
            note: formatMoney(amount, locale, currency),
          })),
          { value: 'other', label: t('tip.otherAmount') },
        ]}
      />
      {value === 'other' && <TipAmount order={order} busy={tip.busy} send={tip.send} />}
      <p className="text-ink-soft text-sm">{t('tip.text')}</p>
    </section>
  );
}

/** The option of the order: a percentage, 'other' for an amount, or 'none'. */
function currentChoice({ tips, tipRate, tipAmount }: Order): string {
  if (tipAmount !== null) return 'other';
  return String(tips?.choices.find(({ percent }) => isRate(percent, tipRate))?.percent ?? 'none');
}

/** Stores the tip. `pressed` shows at once; a rejection restores the option of the order. */
function useTip(order: Order, method: CheckoutMethod | null, edit: BillEdit) {
  const t = useT();
  const api = useApi();
  const locale = useLocale();
  const { busy, run } = useBillChange(edit);
  const [pressed, setPressed] = useState<string>();
  const [problem, setProblem] = useState<string>();

  /** Resolves to whether the shop accepted the tip. */
  const send = async (request: TipRequest): Promise<boolean> => {
    setProblem(undefined);
    try {
      const cents = chosenTip(await run(() => api.call('tips', { body: request })), method);
      announce(
        cents > 0
          ? t('tip.saved', { amount: formatMoney(cents, locale, order.bill.currency) })
          : t('tip.cleared'),
      );
      return true;
    } catch (error) {
      setProblem(t('tip.failed', { reason: errorText(error, t) }));
      return false;
    } finally {
      setPressed(undefined);
    }
  };
  const choose = (option: string) => {
    setPressed(option);
    if (option === 'none') void send({ addTips: false });
    else if (option !== 'other') void send({ addTips: true, tip: Number(option) });
  };
  return { pressed, problem, busy, send, choose };
}

function TipAmount({
  order,
  busy,
  send,
}: {
  order: Order;
  busy: boolean;
  send: (request: TipRequest) => Promise<boolean>;
}) {
  const t = useT();
  const { currency } = order.bill;
  const shown = order.tipAmount === null ? '' : decimalText(order.tipAmount, currency);
  const form = useForm<{ tipAmount: string | null }, boolean>({
    initial: { tipAmount: null },
    validate: ({ tipAmount }) => tipErrors(parseAmount(tipAmount ?? shown, currency), currency),
    send: async ({ tipAmount }) => {
      const cents = parseAmount(tipAmount ?? shown, currency);
      if (busy || cents === null) return false;
      return send(cents === 0 ? { addTips: false } : { addTips: true, tipAmount: cents });
    },
    onSent: (accepted) => {
      if (accepted) form.setValues({ tipAmount: null });
    },
  });
  return (
    <form {...form.formProps}>
      <Field label={t('tip.amount', { currency: order.bill.currency })} error={form.errors.tipAmount}>
        {(control) => (
          <span className="flex max-w-80 gap-2">
            <input
              {...control}
              type="text"
              name="tipAmount"
              inputMode="decimal"
              autoComplete="off"
              className="input min-w-0 grow"
              value={form.values.tipAmount ?? shown}
              maxLength={12}
              enterKeyHint="done"
              onChange={(event) => form.change({ tipAmount: event.target.value })}
            />
            <Button label={t('tip.add')} type="submit" variant="secondary" className="shrink-0" busy={busy} />
          </span>
        )}
      </Field>
    </form>
  );
}

type TipRequest = { addTips: false } | { addTips: true; tip: number } | { addTips: true; tipAmount: number };

type Tipped = Pick<Order, 'tips' | 'tipRate' | 'tipAmount'>;

function offersTips({ tips }: Pick<Order, 'tips'>, method: CheckoutMethod | null): boolean {
  return method !== null && tips?.methods.includes(method) === true;
}

export function chosenTip(order: Tipped, method: CheckoutMethod | null): number {
  if (!offersTips(order, method)) return 0;
  if (order.tipAmount !== null) return order.tipAmount;
  return order.tips?.choices.find(({ percent }) => isRate(percent, order.tipRate))?.amount ?? 0;
}

/** SPEC §9: the rate is the percentage divided by 100. */
function isRate(percent: number, rate: number): boolean {
  return Math.round(percent * 100) === Math.round(rate * 10_000);
}
