import { type FormEvent, useState } from 'react';
import type { CheckoutMethod } from '#contract/limits.ts';
import { isClean } from '#contract/rules/fields.ts';
import { tipErrors } from '#contract/rules/tip.ts';
import type { Order } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { errorText, fieldTexts } from '#web/lib/api-errors.ts';
import { formatMoney } from '#web/lib/format.ts';
import { announce } from '#web/ui/announce.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { OptionChips } from '#web/ui/option-chips.tsx';
import { centsOf, chosenTip, isRate, offersTips, type TipRequest } from './tip-amount.ts';
import { type BillEdit, useBillChange } from './use-bill-change.ts';

export interface TipChoiceProps {
  order: Order;
  /** How the order is to be had, as far as it is chosen on this page. */
  method: CheckoutMethod | null;
  edit: BillEdit;
}

/** SPEC §4: percentages with what they come to, an amount of one's own, or none. Nothing where tips are not offered. */
export function TipChoice({ order, method, edit }: TipChoiceProps) {
  const t = useT();
  const api = useApi();
  const locale = useLocale();
  const { busy, run } = useBillChange(edit);
  // What was pressed shows at once; a refusal brings back what the order has.
  const [wished, setWished] = useState<string>();
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string>();
  if (!order.tips || !offersTips(order, method)) return null;

  const { currency } = order.bill;
  const money = (cents: number) => formatMoney(cents, locale, currency);
  const current =
    order.tipAmount !== null
      ? 'other'
      : (order.tips.choices.find(({ percent }) => isRate(percent, order.tipRate))?.percent ?? 'none');
  const value = wished ?? String(current);
  // A share of nothing, where a discount covers the goods, is nothing to choose.
  const shares = order.tips.choices.filter((choice) => choice.amount > 0 || choice.percent === current);
  const amount = typed ?? (order.tipAmount === null ? '' : (order.tipAmount / 100).toFixed(2));

  const send = async (wish: TipRequest) => {
    setProblem(undefined);
    try {
      const now = await run(() => api.call('tips', { body: wish }));
      const tip = chosenTip(now, method);
      announce(tip > 0 ? t('tip.saved', { amount: money(tip) }) : t('tip.cleared'));
      setTyped(undefined);
    } catch (refusal) {
      setProblem(t('tip.failed', { reason: errorText(refusal, t) }));
    }
    setWished(undefined);
  };

  const choose = (chosen: string) => {
    setError(undefined);
    setWished(chosen);
    if (chosen === 'none') void send({ addTips: false });
    else if (chosen !== 'other') void send({ addTips: true, tip: Number(chosen) });
  };

  const add = (event: FormEvent) => {
    event.preventDefault();
    const cents = centsOf(amount);
    const found = tipErrors(cents);
    setError(fieldTexts(found, t).tipAmount);
    if (!isClean(found) || cents === null || busy) return;
    void send(cents === 0 ? { addTips: false } : { addTips: true, tipAmount: cents });
  };

  return (
    <section className="flex flex-col gap-3" aria-busy={busy || undefined}>
      <OptionChips
        legend={t('tip.title')}
        error={problem}
        value={value}
        onChange={choose}
        options={[
          { value: 'none', label: t('tip.none') },
          ...shares.map(({ percent, amount: cents }) => ({
            value: String(percent),
            label: `${percent}%`,
            note: money(cents),
          })),
          { value: 'other', label: t('tip.otherAmount') },
        ]}
      />
      {value === 'other' && (
        <form noValidate onSubmit={add}>
          <Field label={t('tip.amount', { currency })} error={error}>
            {(control) => (
              <span className="flex max-w-80 gap-2">
                <input
                  {...control}
                  type="text"
                  name="tipAmount"
                  inputMode="decimal"
                  autoComplete="off"
                  className="input min-w-0 grow"
                  value={amount}
                  maxLength={12}
                  enterKeyHint="done"
                  onChange={(event) => {
                    setTyped(event.target.value);
                    setError(undefined);
                  }}
                />
                <Button type="submit" variant="secondary" className="shrink-0" busy={busy}>
                  {t('tip.add')}
                </Button>
              </span>
            )}
          </Field>
        </form>
      )}
      <p className="text-ink-soft text-sm">{t('tip.text')}</p>
    </section>
  );
}
