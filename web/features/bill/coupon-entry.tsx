import { type FormEvent, useRef, useState } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import { couponErrors } from '#contract/rules/tip.ts';
import type { Order } from '#contract/schemas/order.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { errorText, fieldTexts } from '#web/lib/api-errors.ts';
import { Accordion } from '#web/ui/accordion.tsx';
import { announce } from '#web/ui/announce.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Toast } from '#web/ui/notice.tsx';
import { type BillEdit, useBillChange } from './use-bill-change.ts';

/** Where focus goes once a coupon was taken off. */
const entryId = 'coupon-entry';

/** A fold with one field: what comes of the code is said under it, and read out. */
export function CouponEntry({ order, edit }: { order: Order; edit: BillEdit }) {
  const t = useT();
  const api = useApi();
  const locale = useLocale();
  const field = useRef<HTMLInputElement>(null);
  const { busy, run } = useBillChange(edit);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [missing, setMissing] = useState<string>();
  const [applied, setApplied] = useState<string>();
  const { coupon } = order.bill;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    setApplied(undefined);
    // SPEC §5: an alert that closes by itself. The field goes on saying it.
    const { code: empty } = fieldTexts(couponErrors(code), t);
    setMissing(empty);
    setError(empty);
    if (empty) return field.current?.focus();
    try {
      const answer = await run(() =>
        api.call('couponVerification', { params: { code: code.trim() } }).then(({ order }) => order),
      );
      const now = answer.bill.coupon;
      setApplied(now?.code);
      setCode('');
      if (now) announce(t('coupon.applied', { code: now.code, name: inLocale(now.nameContent, locale) }));
    } catch (refusal) {
      setError(errorText(refusal, t));
      field.current?.focus();
    }
  };

  return (
    <div id={entryId} className="print:hidden">
      <Accordion className="border-b-0" summary={t(coupon ? 'coupon.another' : 'coupon.title')}>
        <form noValidate onSubmit={(event) => void submit(event)}>
          <Field label={t('coupon.label')} error={error}>
            {(control) => (
              <span className="flex gap-2">
                <input
                  {...control}
                  ref={field}
                  type="text"
                  name="couponCode"
                  className="input min-w-0 grow"
                  value={code}
                  maxLength={limits.couponCodeLength}
                  autoComplete="off"
                  autoCapitalize="characters"
                  autoCorrect="off"
                  spellCheck={false}
                  enterKeyHint="done"
                  onChange={(event) => {
                    setCode(event.target.value);
                    setError(undefined);
                    setApplied(undefined);
                  }}
                />
                <Button type="submit" variant="secondary" className="shrink-0" busy={busy}>
                  {t('coupon.apply')}
                </Button>
              </span>
            )}
          </Field>
          {applied && coupon?.code === applied && coupon.state === 'applied' && (
            <p className="mt-2 flex items-start gap-2 text-action text-sm">
              <Icon name="check" size={18} />
              <span>{t('coupon.applied', { code: applied, name: inLocale(coupon.nameContent, locale) })}</span>
            </p>
          )}
        </form>
      </Accordion>
      {missing && <Toast tone="bad" title={missing} onClose={() => setMissing(undefined)} />}
    </div>
  );
}

/** Takes the coupon off the bill, beside its row. */
export function RemoveCoupon({ order, edit }: { order: Order; edit: BillEdit }) {
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
      // This button goes with the coupon; focus stays where another can be typed.
      document.querySelector<HTMLElement>(`#${entryId} summary`)?.focus({ preventScroll: true });
      await run(() => api.call('removeCoupon', { body: {} }));
      announce(t('coupon.removed', { code }));
    } catch (refusal) {
      setProblem(t('coupon.removeFailed', { reason: errorText(refusal, t) }));
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
