/** Chooses an item for an order: the product by a search, then size, modifiers and note by the rules of the shop. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { inLocale, type Locale } from '#contract/locales.ts';
import {
  canonicalSelections,
  chooseModifiers,
  defaultSelections,
  groupsById,
  modifierPrice,
  type Selection,
} from '#contract/rules/modifiers.ts';
import type { OrderItem } from '#contract/staff/order-changes.ts';
import { Button } from '#ui/button.tsx';
import { fieldTexts } from '#ui/errors.ts';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Checkbox, Select, TextField } from '#ui/inputs.tsx';
import { Notice } from '#ui/notice.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { Stepper } from './order-parts.tsx';

export interface Choice {
  sku: string;
  modifiers: Selection[];
  note: string;
  /** For display. */
  name: string;
  text: string;
  /** Cents. */
  unitPrice: number;
}

type Group = OrderItem['groups'][number];

interface ChooseProps {
  number: string;
  currency: string;
  storeId: string | null;
  /** The line that is chosen anew; left out for an item that is added. */
  present?: Pick<Choice, 'sku' | 'modifiers' | 'note'> | undefined;
  onChosen: (choice: Choice) => void;
}

export function ChooseItem({ number, present, onChosen, ...place }: ChooseProps) {
  const { t, call } = useOffice();
  const [text, setText] = useState(present?.sku ?? '');
  const [picked, setPicked] = useState<OrderItem>();
  const { data, error } = useQuery({
    queryKey: ['items', number, text.trim()],
    queryFn: () => call('findOrderItems', { params: { number }, query: { text: text.trim() } }),
    enabled: text.trim().length > 1,
  });
  const items = data?.items ?? [];
  const known = present && items.find(({ skus }) => skus.some(({ sku }) => sku === present.sku));
  const item = picked ?? known;
  if (item) return <Choosing key={item.name} item={item} present={present} onChosen={onChosen} {...place} />;
  return (
    <div className="flex flex-col gap-3">
      <Problem error={error} />
      {present ? (
        data && <Notice tone="bad" title={t('office.change.gone')} />
      ) : (
        <TextField
          label={t('office.change.search')}
          value={text}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <ul className="flex flex-col">
        {!present &&
          items.map((each) => (
            <li key={`${each.name}${each.skus[0]?.sku}`}>
              <button
                type="button"
                className="flex min-h-11 w-full items-center justify-between gap-4 border-line border-b py-2 text-left hover:bg-surface-inset"
                onClick={() => setPicked(each)}
              >
                <span>{each.name}</span>
                <span className="text-ink-soft text-sm">{each.skus[0]?.sku}</span>
              </button>
            </li>
          ))}
      </ul>
      {!present && data && items.length === 0 && <p className="text-ink-soft">{t('office.change.noItem')}</p>}
    </div>
  );
}

type ChoosingProps = Omit<ChooseProps, 'number'> & { item: OrderItem };

function Choosing({ item, present, onChosen, currency, storeId }: ChoosingProps) {
  const { t, locale } = useOffice();
  const shared = useT();
  const { name, skus, groups } = item;
  const [sku, setSku] = useState(present?.sku ?? skus[0]?.sku ?? '');
  const chosenSku = skus.find((each) => each.sku === sku);
  const product = { groups, optionPairs: chosenSku?.optionPairs ?? '', storeId };
  const [selections, setSelections] = useState<readonly Selection[]>(
    present?.modifiers ?? defaultSelections(product),
  );
  const [note, setNote] = useState(present?.note ?? '');
  const { chosen, price, errors } = chooseModifiers(product, selections, locale);
  const texts = Object.values(fieldTexts(errors, shared));
  const unitPrice = (chosenSku?.price ?? 0) + price;
  const choose = () => {
    const names = chosen.map(
      ({ modifier, quantity }) =>
        `${quantity > 1 ? `${quantity} × ` : ''}${inLocale(modifier.nameContent, locale)}`,
    );
    const text = [chosenSku?.text, ...names].filter(Boolean).join(' · ');
    onChosen({ sku, modifiers: canonicalSelections(selections), note: note.trim(), name, text, unitPrice });
  };
  return (
    <div className="flex flex-col gap-4">
      <p className="font-semibold">{name}</p>
      {skus.length > 1 && (
        <Select
          label={t('office.change.sku')}
          options={skus.map((each) => ({
            value: each.sku,
            label: `${each.text || each.sku} · ${formatMoney(each.price, locale, currency)}`,
          }))}
          value={sku}
          onChange={(event) => setSku(event.target.value)}
        />
      )}
      <Groups
        groups={groups.filter(({ opened }) => !opened)}
        all={groups}
        optionPairs={product.optionPairs}
        selections={selections}
        onChange={setSelections}
        currency={currency}
      />
      <TextField
        label={t('office.change.note')}
        value={note}
        maxLength={140}
        onChange={(event) => setNote(event.target.value)}
      />
      {texts.map((text) => (
        <p key={text} role="alert" className="text-clay">
          {text}
        </p>
      ))}
      <Button disabled={texts.length > 0 || !chosenSku} onClick={choose}>
        {t(present ? 'office.change.take' : 'office.change.add', {
          amount: formatMoney(unitPrice, locale, currency),
        })}
      </Button>
    </div>
  );
}

function labelText(
  modifier: Group['modifiers'][number],
  optionPairs: string,
  locale: Locale,
  currency: string,
): string {
  const price = modifierPrice(modifier, optionPairs);
  return (
    inLocale(modifier.nameContent, locale) + (price > 0 ? ` +${formatMoney(price, locale, currency)}` : '')
  );
}

interface ModifierRowProps {
  label: string;
  /** Null for a modifier that is chosen once. */
  most: number | null;
  quantity: number;
  onChange: (quantity: number) => void;
}

function ModifierRow({ label, most, quantity, onChange }: ModifierRowProps) {
  if (most === null)
    return (
      <Checkbox
        label={label}
        checked={quantity > 0}
        onChange={(event) => onChange(event.target.checked ? 1 : 0)}
      />
    );
  return (
    <div className="flex items-center justify-between gap-3">
      <span>{label}</span>
      <span className="flex items-center gap-1">
        <Stepper {...{ quantity, most, onChange }} product={label} />
      </span>
    </div>
  );
}

interface GroupsProps {
  groups: readonly Group[];
  all: readonly Group[];
  optionPairs: string;
  selections: readonly Selection[];
  onChange: (selections: readonly Selection[]) => void;
  currency: string;
}

function Groups({ groups, all, optionPairs, selections, onChange, currency }: GroupsProps) {
  const { locale } = useOffice();
  const of = (group: string, modifier: string) =>
    selections.find((each) => each.group === group && each.modifier === modifier);
  /** In place of what the group had, or in addition to it. */
  const set = (group: Group, modifier: string, quantity: number) => {
    const isOther = (each: Selection) =>
      each.group !== group.id || (group.max > 1 && each.modifier !== modifier);
    const kept = of(group.id, modifier);
    onChange([
      ...selections.filter(isOther),
      ...(quantity > 0 ? [{ ...kept, group: group.id, modifier, quantity }] : []),
    ]);
  };
  return groups.map((group) => {
    const labelOf = (modifier: Group['modifiers'][number]) =>
      labelText(modifier, optionPairs, locale, currency);
    const legend = inLocale(group.nameContent, locale);
    const chosen = group.modifiers.filter(({ id }) => of(group.id, id));
    return (
      <fieldset key={group.id} className="flex flex-col gap-2">
        {group.max === 1 ? (
          <Select
            label={legend}
            options={[
              ...(group.min === 0 || chosen.length === 0 ? [{ value: '', label: '–' }] : []),
              ...group.modifiers.map((modifier) => ({ value: modifier.id, label: labelOf(modifier) })),
            ]}
            value={chosen[0]?.id ?? ''}
            onChange={({ target: { value } }) => set(group, value || (chosen[0]?.id ?? ''), value ? 1 : 0)}
          />
        ) : (
          <>
            <legend className="pb-1 font-semibold">{legend}</legend>
            {group.modifiers.map((modifier) => (
              <ModifierRow
                key={modifier.id}
                label={labelOf(modifier)}
                most={group.quantities ? group.max : null}
                quantity={of(group.id, modifier.id) ? (of(group.id, modifier.id)?.quantity ?? 1) : 0}
                onChange={(quantity) => set(group, modifier.id, quantity)}
              />
            ))}
          </>
        )}
        {chosen.map((modifier) => {
          const own = of(group.id, modifier.id);
          const opened = groupsById(all, modifier.opens);
          const change = (inner: readonly Selection[]) =>
            onChange(selections.map((each) => (each === own ? { ...each, modifiers: inner } : each)));
          return opened.length > 0 ? (
            <div key={modifier.id} className="flex flex-col gap-2 border-line border-l-2 pl-3">
              <Groups
                {...{ all, optionPairs, currency }}
                groups={opened}
                selections={own?.modifiers ?? []}
                onChange={change}
              />
            </div>
          ) : null;
        })}
      </fieldset>
    );
  });
}
