import { useEffect, useImperativeHandle, useState } from 'react';
import { cardErrors } from '#contract/rules/card.ts';
import { isClean } from '#contract/rules/fields.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { fieldTexts } from '#web/lib/refusals.ts';
import { CardForm, type CardValue, emptyCard } from '../card-form.tsx';
import type { PanelProps } from '../panels.ts';
import { TestCards } from '../test-cards.tsx';

const path = (name: string) => `paymentInstrucment.${name}`;

/** The plain card form of the house gateway. */
export default function HousePanel({ ref, errors, onErrors, onEdit, onState, demonstration }: PanelProps) {
  const t = useT();
  const [card, setCard] = useState<CardValue>(emptyCard);
  useEffect(() => onState('ready'), [onState]);
  useImperativeHandle(ref, () => ({
    async prepare() {
      const found = cardErrors(card, Date.now());
      onErrors(fieldTexts(found, t));
      return isClean(found) ? { call: 'postBilling', body: { paymentInstrucment: card } } : null;
    },
    act: async () => 'done',
  }));
  const thisYear = new Date().getFullYear();
  const edit = (changes: Partial<CardValue>) => {
    setCard((old) => ({ ...old, ...changes }));
    onEdit(Object.keys(changes).map(path));
  };
  return (
    <>
      {demonstration && <TestCards thisYear={thisYear} onUse={edit} />}
      <CardForm value={card} errors={errors} thisYear={thisYear} onChange={edit} />
    </>
  );
}
