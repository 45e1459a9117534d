import { enabledMethods } from '#contract/rules/method.ts';
import type { CheckoutConfig } from '#contract/schemas/order.ts';
import { FieldFrame, fieldHintClass, fieldLabelClass } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { Skeleton, SkeletonText } from '#ui/layout.tsx';
import { RadioCardFace } from '#ui/radio-cards.tsx';
import { FormSection } from './form-section.tsx';
import { methodCard } from './method-choice.tsx';

/**
 * The first sections of the form while the cart loads: the words that are the same for everyone, which are part of the server's page,
 * and placeholders for what can be used. `config` is undefined if it is still loading as well.
 */
export function FormOutline({ config }: { config: CheckoutConfig | undefined }) {
  const t = useT();
  const methods = config ? enabledMethods(config) : [];
  return (
    <div role="status" aria-label={t('checkout.loading')} className="min-h-[80rem]">
      <div aria-hidden className="flex flex-col gap-10">
        <FormSection title={t('checkout.contact.title')}>
          <FieldFrame>
            <span className={fieldLabelClass}>{t('checkout.contact.email')}</span>
            <p className={fieldHintClass}>{t('checkout.contact.email.hint')}</p>
            <Skeleton className="h-12" />
          </FieldFrame>
          <SkeletonText lines={1} className="-mt-3 max-w-72 text-sm" />
        </FormSection>
        {methods.length > 1 && (
          <FormSection title={t('checkout.method.title')}>
            <div className="grid gap-3">
              {methods.map((method) => (
                <RadioCardFace key={method} {...methodCard(t, method)} />
              ))}
            </div>
          </FormSection>
        )}
        <div className="flex flex-col gap-5">
          <SkeletonText lines={1} className="max-w-40 text-lg" />
          {['name', 'street', 'city'].map((field) => (
            <Skeleton key={field} className="h-18" />
          ))}
        </div>
      </div>
    </div>
  );
}
