import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { CardValue } from './card-form.tsx';
import { groupCardNumber } from './card-number.ts';

/** Of the house gateway's test cards (docs/reliability.md) the two that a visitor wants to try. */
const cards = [
  { number: '4242424242424242', does: 'payment.demo.approve' },
  { number: '4000000000000002', does: 'payment.demo.decline' },
] as const;

/** In a demonstration: cards that work, at a press. */
export function TestCards({ thisYear, onUse }: { thisYear: number; onUse: (card: CardValue) => void }) {
  const t = useT();
  return (
    <Notice silent title={t('payment.demo.title')}>
      <p>{t('payment.demo.text')}</p>
      <ul className="mt-2 flex flex-col gap-1">
        {cards.map(({ number, does }) => {
          const grouped = groupCardNumber(number);
          return (
            <li key={number} className="flex flex-wrap items-center gap-x-3">
              <span className="tabular-nums">{grouped}</span>
              <span className="text-ink-soft text-sm">{t(does)}</span>
              <Button
                variant="quiet"
                size="small"
                className="ml-auto"
                aria-label={t('payment.demo.useNamed', { number: grouped })}
                onClick={() =>
                  onUse({
                    cardHolderName: t('payment.demo.holder'),
                    creditCardNumber: grouped,
                    cardCode: '123',
                    expirationMonth: '12',
                    expirationYear: String(thisYear + 2),
                  })
                }
              >
                {t('payment.demo.use')}
              </Button>
            </li>
          );
        })}
      </ul>
    </Notice>
  );
}
