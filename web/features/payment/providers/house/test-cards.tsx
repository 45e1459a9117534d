import { houseCards } from '#contract/house-gateway.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { CardValue } from './card-form.tsx';
import { groupCardNumber } from './card-number.ts';

/** The house gateway's test cards (docs/how-to/payments.md), the most useful ones for visitors first. */
const first = [
  { number: houseCards.approve, does: 'payment.demo.approve' },
  { number: houseCards.challenge, does: 'payment.demo.challenge' },
  { number: houseCards.decline, does: 'payment.demo.decline' },
] as const;
const further = [
  { number: houseCards.codeInvalid, does: 'payment.demo.codeInvalid' },
  { number: houseCards.expired, does: 'payment.demo.expired' },
  { number: houseCards.notAuthorized, does: 'payment.demo.notAuthorized' },
  { number: houseCards.unavailable, does: 'payment.demo.unavailable' },
  { number: houseCards.slow, does: 'payment.demo.slow' },
  { number: houseCards.answerLost, does: 'payment.demo.answerLost' },
] as const;
type TestCard = (typeof first)[number] | (typeof further)[number];

interface TestCardsProps {
  thisYear: number;
  onUse: (card: CardValue) => void;
}

/** Shown in a demo: buttons that fill in a card for each outcome. */
export function TestCards({ thisYear, onUse }: TestCardsProps) {
  const t = useT();
  const use = (number: string) =>
    onUse({
      cardHolderName: t('payment.demo.holder'),
      creditCardNumber: number,
      cardCode: '123',
      expirationMonth: '12',
      expirationYear: String(thisYear + 2),
    });
  return (
    <Notice silent title={t('payment.demo.title')}>
      <p>{t('payment.demo.text')}</p>
      <CardList cards={first} onUse={use} />
      <details className="mt-2">
        <summary className="link inline-block cursor-pointer py-1">{t('payment.demo.more')}</summary>
        <CardList cards={further} onUse={use} />
      </details>
    </Notice>
  );
}

function CardList({ cards, onUse }: { cards: readonly TestCard[]; onUse: (grouped: string) => void }) {
  const t = useT();
  return (
    <ul className="mt-2 flex flex-col gap-1">
      {cards.map(({ number, does }) => {
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
              onClick={() => onUse(grouped)}
            >
              {t('payment.demo.use')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
