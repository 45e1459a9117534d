import type { PaymentMethod } from '#contract/rules/payment.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { type RadioCard, RadioCards } from '#web/ui/radio-cards.tsx';

interface PaymentMethodPickerProps {
  offered: PaymentMethod[];
  value: PaymentMethod | null;
  error: string | undefined;
  /** The order is served at a table. */
  atTable: boolean;
  storeName: string;
  onChange: (choice: PaymentMethod) => void;
}

/** How the order is paid: by card, by PayPal, at the store. Where there is one way or none, nothing is asked. */
export function PaymentMethodPicker({ offered, value, error, atTable, storeName, onChange }: PaymentMethodPickerProps) {
  const t = useT();
  const cards: Record<PaymentMethod, Omit<RadioCard<PaymentMethod>, 'value'>> = {
    online: { title: t('payment.method.online'), note: t('payment.method.online.note'), icon: 'card' },
    payPal: { title: t('payment.method.payPal'), note: t('payment.method.payPal.note'), icon: 'external' },
    payAtStore: {
      title: t('payment.method.store'),
      note: t(`payment.method.store.note.${atTable ? 'instore' : 'pickup'}`, { store: storeName }),
      icon: 'store',
    },
  };
  const only = offered.length === 1 ? offered[0] : undefined;
  // The card's own part says what it is.
  if (offered.length === 0 || only === 'online') return null;
  if (only)
    return (
      <section className="flex flex-col gap-2">
        <h2 className="text-lg">{cards[only].title}</h2>
        <p className="text-ink-soft">{cards[only].note}</p>
      </section>
    );
  return (
    <section className="flex flex-col gap-5">
      <h2 className="text-lg">{t('payment.method.title')}</h2>
      <RadioCards<PaymentMethod>
        legend={t('payment.method.title')}
        hideLegend
        value={value}
        error={error}
        onChange={onChange}
        options={offered.map((method) => ({ value: method, ...cards[method] }))}
      />
    </section>
  );
}
