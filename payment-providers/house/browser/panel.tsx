import { useEffect, useImperativeHandle, useState } from 'react';
import { createPortal } from 'react-dom';
import { cardErrors } from '#contract/rules/card.ts';
import { isClean } from '#contract/rules/fields.ts';
import { fieldTexts } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import type { PanelProps } from '#web/features/payment/provider-panel.ts';
import { gatewayName } from '../values.ts';
import { CardForm, type CardValue, emptyCard } from './card-form.tsx';
import { ChallengeDialog } from './challenge-dialog.tsx';
import { TestCards } from './test-cards.tsx';
import { useChallenge } from './use-challenge.ts';

const path = (name: string) => `paymentInstrucment.${name}`;

export default function HousePanel({ ref, order, errors, onErrors, onEdit, onState, demonstration }: PanelProps) {
  const t = useT();
  const locale = useLocale();
  const [card, setCard] = useState<CardValue>(emptyCard);
  const challenge = useChallenge();
  useEffect(() => onState('ready'), [onState]);
  useImperativeHandle(ref, () => ({
    async prepare() {
      const found = cardErrors(card, Date.now());
      onErrors(fieldTexts(found, t));
      if (!isClean(found)) return null;
      return (api, agreed) => api.call('postBilling', { params: { gatewayName }, body: { paymentInstrucment: card, ...agreed } });
    },
    act: challenge.ask,
  }));
  const thisYear = new Date().getFullYear();
  const edit = (changes: Partial<CardValue>) => {
    setCard((old) => ({ ...old, ...changes }));
    onEdit(Object.keys(changes).map(path));
  };
  return (
    <>
      {demonstration && <TestCards thisYear={thisYear} onUse={edit} />}
      <CardForm value={card} errors={errors} onChange={edit} />
      {createPortal(
        <ChallengeDialog
          open={challenge.open}
          amount={formatMoney(order.bill.total, locale, order.bill.currency)}
          demonstration={demonstration}
          error={challenge.error}
          busy={challenge.busy}
          onSubmit={(code) => void challenge.submit(code)}
          onCancel={challenge.cancel}
        />,
        document.body,
      )}
    </>
  );
}
