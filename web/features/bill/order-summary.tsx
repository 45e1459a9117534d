import { useState } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { couponErrors } from '#contract/rules/payment.ts';
import type { Order } from '#contract/schemas/order.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button } from '#ui/button.tsx';
import { errorText } from '#ui/errors.ts';
import { Field } from '#ui/field.tsx';
import { useForm } from '#ui/form.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { announce } from '#ui/page.tsx';
import { Toast } from '#ui/toast.tsx';
import { useApi } from '#web/lib/api.ts';
import { ChosenText } from '#web/ui/chosen-text.tsx';
import { LinePrice } from '#web/ui/line-price.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Money } from '#web/ui/price.tsx';
import {
  type AssumedBill,
  type BillEdit,
  BillView,
  changeBill,
  type Estimate,
  shownBill,
  useBillChange,
} from './bill.tsx';

/** The element that receives focus after a coupon is removed. */
const entryId = 'coupon-entry';

interface OrderSummaryProps {
  order: Order;
  estimate?: Estimate;
  pending?: boolean;
  edit: BillEdit;
}

/** The order beside a form: always visible on wide screens, a collapsed section with the total in its header on narrow ones. */
export function OrderSummary({ order, estimate, pending = false, edit }: OrderSummaryProps) {
  const t = useT();
  const { bill } = order;
  return (
    <section aria-label={t('bill.title')} className="rounded-lg bg-surface-inset px-4 product:p-0">
      <Accordion
        unfoldFrom="product"
        className="border-0"
        summary={t('bill.title')}
        aside={
          <Money
            cents={shownBill(order, estimate).total}
            currency={bill.currency}
            className="font-semibold"
          />
        }
      >
        <h2 className="mb-6 text-lg max-product:hidden">{t('bill.title')}</h2>
        <OrderLines order={order} />
        <div className="mt-6 border-line border-t pt-5">
          <EditableBill order={order} estimate={estimate} pending={pending} edit={edit} />
        </div>
      </Accordion>
    </section>
  );
}

interface EditableBillProps {
  order: Order;
  estimate?: Estimate | undefined;
  assumed?: AssumedBill | undefined;
  pending?: boolean;
  edit: BillEdit;
}

export function EditableBill({ order, estimate, assumed, pending = false, edit }: EditableBillProps) {
  return (
    <>
      <BillView
        order={order}
        estimate={estimate}
        assumed={assumed}
        pending={pending}
        couponEnd={<RemoveCoupon order={order} edit={edit} />}
      />
      <div className="mt-5">
        <CouponEntry order={order} edit={edit} />
      </div>
    </>
  );
}

function OrderLines({ order: { lineItems, bill } }: { order: Order }) {
  const t = useT();
  return (
    <ul className="flex flex-col gap-4" aria-label={t('bill.lines.title')}>
      {lineItems.map((line) => (
        <li key={line.id} className="grid grid-cols-[4rem_1fr_auto] items-center gap-4">
          {line.image ? (
            <Picture image={line.image} sizes="4rem" alt="" shape="square" />
          ) : (
            <span className="aspect-square rounded-sm bg-surface-inset" />
          )}
          <div className="min-w-0 leading-snug">
            <p>{line.productName}</p>
            <ChosenText line={line} className="text-ink-soft text-sm" />
            <p className="text-ink-soft text-sm">{t('bill.lines.quantity', { count: line.quantity })}</p>
          </div>
          <LinePrice line={line} bill={bill} />
        </li>
      ))}
    </ul>
  );
}

function CouponEntry({ order, edit }: { order: Order; edit: BillEdit }) {
  const t = useT();
  const { form, missing, closeMissing, applied, clearApplied } = useCouponForm(edit);
  const { coupon } = order.bill;
  const { value, error, onChange } = form.field('code');
  return (
    <div id={entryId} className="print:hidden">
      <Accordion className="border-b-0" summary={t(coupon ? 'coupon.another' : 'coupon.title')}>
        <form {...form.formProps}>
          <Field label={t('coupon.label')} error={error}>
            {(control) => (
              <span className="flex gap-2">
                <input
                  {...control}
                  type="text"
                  name="couponCode"
                  className="input min-w-0 grow"
                  value={value}
                  maxLength={limits.couponCodeLength}
                  autoComplete="off"
                  autoCapitalize="characters"
                  autoCorrect="off"
                  spellCheck={false}
                  enterKeyHint="done"
                  onChange={(event) => {
                    onChange(event);
                    clearApplied();
                  }}
                />
                <Button
                  label={t('coupon.apply')}
                  type="submit"
                  variant="secondary"
                  className="shrink-0"
                  busy={form.busy}
                />
              </span>
            )}
          </Field>
          {coupon && coupon.code === applied && coupon.state === 'applied' && (
            <AppliedCoupon coupon={coupon} />
          )}
        </form>
      </Accordion>
      {missing && <Toast tone="bad" title={missing} onClose={closeMissing} />}
    </div>
  );
}

/** Applies a code. SPEC §5: an alert that closes by itself reports a missing code; the field continues to show the error. */
function useCouponForm(edit: BillEdit) {
  const t = useT();
  const api = useApi();
  const locale = useLocale();
  const [missing, setMissing] = useState<string>();
  const [applied, setApplied] = useState<string>();
  const form = useForm<{ code: string }, Order>({
    initial: { code: '' },
    validate: ({ code }) => {
      setApplied(undefined);
      setMissing(undefined);
      return couponErrors(code);
    },
    onInvalid: ({ code }) => setMissing(code),
    send: ({ code }) =>
      changeBill(edit, () =>
        api.call('couponVerification', { params: { code: code.trim() } }).then(({ order }) => order),
      ),
    onSent: ({ bill: { coupon } }) => {
      setApplied(coupon?.code);
      form.setValues({ code: '' });
      if (coupon)
        announce(t('coupon.applied', { code: coupon.code, name: inLocale(coupon.nameContent, locale) }));
    },
    rejectedFields: (error) => ({ code: errorText(error, t) }),
  });
  return {
    form,
    missing,
    closeMissing: () => setMissing(undefined),
    applied,
    clearApplied: () => setApplied(undefined),
  };
}

function AppliedCoupon({ coupon }: { coupon: NonNullable<Order['bill']['coupon']> }) {
  const name = inLocale(coupon.nameContent, useLocale());
  return (
    <p className="mt-2 flex items-start gap-2 text-action text-sm">
      <Icon name="check" size={18} />
      <span>{useT()('coupon.applied', { code: coupon.code, name })}</span>
    </p>
  );
}

function RemoveCoupon({ order, edit }: { order: Order; edit: BillEdit }) {
  const t = useT();
  const api = useApi();
  const { busy, run } = useBillChange(edit);
  const [problem, setProblem] = useState<string>();
  const code = order.bill.coupon?.code;
  if (code === undefined) return null;
  const remove = async () => {
    if (busy) return;
    setProblem(undefined);
    try {
      // This button disappears with the coupon, so focus moves to the field for another code.
      document.querySelector<HTMLElement>(`#${entryId} summary`)?.focus({ preventScroll: true });
      await run(() => api.call('removeCoupon', { body: {} }));
      announce(t('coupon.removed', { code }));
    } catch (error) {
      setProblem(t('coupon.removeFailed', { reason: errorText(error, t) }));
    }
  };
  return (
    <>
      <button
        type="button"
        className="link ml-2 inline-flex min-h-6 items-center text-sm"
        aria-label={t('bill.couponRemoveLabel', { code })}
        aria-busy={busy || undefined}
        onClick={() => void remove()}
      >
        {t('bill.couponRemove')}
      </button>
      {problem && (
        <span role="alert" className="block text-clay text-sm">
          {problem}
        </span>
      )}
    </>
  );
}
