import { Button } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { houseCards } from '../values.ts';
import type { CardValue } from './card-form.tsx';
import { groupCardNumber } from './card-text.ts';

/** docs/how-to/payments.md; the most useful ones for visitors first. */
const others = [
  { number: houseCards.challenge, does: 'payment.demo.challenge' },
  { number: houseCards.decline, does: 'payment.demo.decline' },
  { number: houseCards.codeInvalid, does: 'payment.demo.codeInvalid' },
  { number: houseCards.expired, does: 'payment.demo.expired' },
  { number: houseCards.notAuthorized, does: 'payment.demo.notAuthorized' },
  { number: houseCards.unavailable, does: 'payment.demo.unavailable' },
  { number: houseCards.slow, does: 'payment.demo.slow' },
  { number: houseCards.answerLost, does: 'payment.demo.answerLost' },
] as const;

interface TestCardsProps {
  thisYear: number;
  onUse: (card: CardValue) => void;
}

export function TestCards({ thisYear, onUse }: TestCardsProps) {
  const t = useT();
  const use = (number: string) =>
    onUse({
      cardHolderName: t('payment.demo.holder'),
      creditCardNumber: groupCardNumber(number),
      cardCode: '123',
      expirationMonth: '12',
      expirationYear: String(thisYear + 2).slice(-2),
    });
  return (
    <div className="-mt-3 text-sm">
      <p className="flex flex-wrap items-center gap-x-2">
        {t('payment.demo.title')}
        <Button variant="quiet" size="small" onClick={() => use(houseCards.approve)}>
          {t('payment.demo.fill')}
        </Button>
      </p>
      <details>
        <summary className="link inline-block cursor-pointer py-1">{t('payment.demo.more')}</summary>
        <CardList onUse={use} />
      </details>
    </div>
  );
}

function CardList({ onUse }: { onUse: (number: string) => void }) {
  const t = useT();
  return (
    <ul className="mt-2 flex flex-col gap-1">
      {others.map(({ number, does }) => {
        const grouped = groupCardNumber(number);
        return (
          <li key={number} className="flex items-center gap-x-3">
            <span className="flex min-w-0 flex-1 flex-col product:flex-row product:items-center product:gap-x-3">
              <span className="tabular-nums">{grouped}</span>
              <span className="text-ink-soft text-sm">{t(does)}</span>
            </span>
            <Button
              variant="quiet"
              size="small"
              aria-label={t('payment.demo.useNamed', { number: grouped })}
              onClick={() => onUse(number)}
            >
              {t('payment.demo.use')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
