/** The sheet in which a shopper's phone asks for modifier groups, as they would be if the edits were saved. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { canonicalText, inLocale, type LocalText } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { chooseModifiers, defaultSelections, type Selection } from '#contract/rules/modifiers.ts';
import type { ModifierGroup } from '#contract/schemas/modifiers.ts';
import { fieldTexts } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { ModifierFields } from '#ui/modifier-fields.tsx';
import { Trial } from './document.tsx';
import { useLanguage } from './i18n.tsx';

interface PhoneSheetProps {
  trial: UseQueryResult<{ groups: readonly ModifierGroup[] }>;
  /** By which prices may differ. */
  options: readonly { name: LocalText; values: readonly LocalText[] }[];
  currency: string;
}

export function PhoneSheet({ trial, options, currency }: PhoneSheetProps) {
  const { t, locale } = useLanguage();
  const [pairs, setPairs] = useState('');
  const groups = trial.data?.groups;
  const choices = options.flatMap(({ name, values }) =>
    values.map((value) => ({
      value: formatOptionPairs([[canonicalText(name), canonicalText(value)]]),
      label: `${inLocale(name, locale)}: ${inLocale(value, locale)}`,
    })),
  );
  return (
    <Trial trial={trial} title={t('office.group.phone')}>
      {choices.length > 0 && (
        <Select
          label={t('office.group.with')}
          value={pairs}
          placeholder={t('office.group.any')}
          options={choices}
          onChange={({ target }) => setPairs(target.value)}
        />
      )}
      {groups && <Sheet key={choosable(groups)} groups={groups} currency={currency} optionPairs={pairs} />}
    </Trial>
  );
}

/** What a choice depends on: with other rules or choices it begins again. */
const choosable = (groups: readonly ModifierGroup[]) =>
  JSON.stringify(
    groups.map(({ id, max, quantities, modifiers }) => [
      id,
      max,
      quantities,
      modifiers.map((each) => [each.id, each.defaultQuantity, each.opens]),
    ]),
  );

function Sheet({
  groups,
  currency,
  optionPairs,
}: {
  groups: readonly ModifierGroup[];
  currency: string;
  optionPairs: string;
}) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const product = { groups, optionPairs, storeId: null };
  const [selections, select] = useState<readonly Selection[]>(() => defaultSelections(product));
  const [note, setNote] = useState('');
  const { price, errors } = chooseModifiers(product, selections, locale);
  const isWrong = Object.keys(errors).length > 0;
  return (
    <section
      aria-label={t('office.group.phone')}
      data-phone
      className="as-in-shop flex flex-col overflow-hidden rounded-md border border-line bg-raised"
    >
      <div className="px-5 py-5">
        <ModifierFields
          modifiers={{
            product,
            selections,
            select,
            price,
            errors: fieldTexts(errors, shared),
            note,
            setNote,
          }}
          price={{ price: 0, currency }}
        />
      </div>
      <p className="border-line border-t px-5 py-3 font-semibold" role="status">
        {isWrong
          ? t('office.group.incomplete')
          : t('office.group.adds', { amount: formatMoney(price, locale, currency) })}
      </p>
    </section>
  );
}
