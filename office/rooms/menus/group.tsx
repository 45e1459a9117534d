/** A modifier group, and beside it the sheet in which a shopper's phone asks for it. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { allergens, dietaryMarks } from '#contract/limits.ts';
import { canonicalText, inLocale, type LocalText, mainLocale } from '#contract/locales.ts';
import { formatOptionPairs } from '#contract/option-pairs.ts';
import { chooseModifiers, defaultSelections, type Selection } from '#contract/rules/modifiers.ts';
import type { ModifierGroup } from '#contract/schemas/modifiers.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { GroupContent, ModifierContent } from '#contract/staff/modifiers.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button } from '#ui/button.tsx';
import { fieldTexts } from '#ui/errors.ts';
import { FormSection } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { ModifierFields } from '#ui/modifier-fields.tsx';
import { type EditedDocument, type Path, Trial, useTrial } from '../../lib/document.tsx';
import {
  CheckOf,
  ChecksOf,
  EditedContext,
  EntrySteps,
  LocalTextOf,
  NumberOf,
  pair,
  TextOf,
  useEdited,
} from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { MoneyOf, useMoney } from '../../lib/money.tsx';

type GroupAnswer = StaffResponse<'modifierGroup'>;

export default function GroupPage() {
  const { group = '' } = useParams({ strict: false }) as { group?: string };
  // Another group is another form.
  return <GroupForm key={group} id={group} />;
}

function GroupForm({ id }: { id: string }) {
  const { t } = useLanguage();
  return (
    <KindPage
      kind="modifierGroup"
      id={id}
      name={['modifier-group', id]}
      place="modifierGroups"
      list={{ path: 'menus', query: 'modifier-groups', title: t('office.menus') }}
      needs="goods.write"
      removable
      aside={(answer, edits) => <PhoneSheet id={id} edits={edits} answer={answer} />}
    >
      {(answer) => (
        <>
          <FormSection title={t('office.group.asks')}>
            <LocalTextOf path={['name']} label={t('office.store.name')} />
            <LocalTextOf path={['text']} label={t('office.group.text')} />
            <div className="grid grid-cols-2 gap-5 product:grid-cols-3">
              <NumberOf path={['min']} label={t('office.group.min')} hint={t('office.group.minHint')} />
              <NumberOf path={['max']} label={t('office.group.max')} />
              <NumberOf path={['free']} label={t('office.group.free')} hint={t('office.group.freeHint')} />
            </div>
            <CheckOf path={['quantities']} label={t('office.group.quantities')} />
            <CheckOf path={['setParts']} label={t('office.group.setParts')} hint={t('office.group.setPartsHint')} />
          </FormSection>
          <Modifiers content={answer.content} answer={answer} />
          <UsedBy products={answer.products} />
        </>
      )}
    </KindPage>
  );
}

function UsedBy({ products }: Pick<GroupAnswer, 'products'>) {
  const { t, locale } = useLanguage();
  return (
    <FormSection title={t('office.group.usedBy')}>
      {products.length === 0 && <p className="text-ink-soft">{t('office.group.unused')}</p>}
      <ul className="flex flex-wrap gap-x-5">
        {products.map(({ name, nameContent }) => (
          <li key={name}>
            <Link href={`/office/goods/${name}`} className="flex min-h-11 items-center underline">
              {inLocale(nameContent, locale)}
            </Link>
          </li>
        ))}
      </ul>
    </FormSection>
  );
}

function Modifiers({ content: { modifiers, setParts, quantities }, answer }: { content: GroupContent; answer: GroupAnswer }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const ids = modifiers.map(({ id }) => id);
  const add = () => {
    const id = `choice-${crypto.randomUUID().slice(0, 8)}`;
    form.change(['modifiers', id], {
      ...{
        id,
        name: { [mainLocale()]: '' },
        priceCents: 0,
        prices: [],
        default: 0,
        sku: null,
        dietaryMarks: [],
        allergens: [],
        opens: [],
      },
      ...{ taxClass: null, singleServings: 1, hidden: false },
    });
  };
  return (
    <FormSection title={t(setParts ? 'office.group.parts' : 'office.group.choices')}>
      {modifiers.map((modifier, index) => {
        const name = inLocale(modifier.name, locale) || t('office.group.newChoice');
        return (
          <fieldset key={modifier.id} className="flex flex-col gap-5 rounded-md border border-line p-4 product:p-5">
            <legend className="px-2 font-semibold">{name}</legend>
            <Modifier modifier={modifier} answer={answer} isSet={setParts} quantities={quantities} />
            <EntrySteps list="modifiers" ids={ids} index={index} name={name} />
          </fieldset>
        );
      })}
      <Button label={t('office.group.addChoice')} variant="secondary" icon="plus" className="self-start" onClick={add} />
    </FormSection>
  );
}

interface ModifierProps {
  modifier: ModifierContent;
  answer: GroupAnswer;
  isSet: boolean;
  quantities: boolean;
}

function Modifier({ modifier, answer, isSet, quantities }: ModifierProps) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const at = (field: string) => ['modifiers', modifier.id, field];
  const { prices, sku, dietaryMarks: marks, allergens: contained, opens, hidden } = modifier;
  const money = (cents: number) => formatMoney(cents, locale, answer.currency);
  const more = [
    ...prices.map(({ options, priceCents }) => `${Object.values(options).join(' ')} ${money(priceCents)}`),
    ...(sku === null || isSet ? [] : [sku]),
    ...marks.map((each) => shared(`modifiers.mark.${each}`)),
    ...contained.map((each) => shared(`modifiers.allergen.${each}`)),
    ...opens.map((each) => nameIn(answer.others, each, locale)),
    ...(hidden ? [t('office.store.hidden')] : []),
  ].join(' · ');
  return (
    <>
      <LocalTextOf path={at('name')} label={t('office.store.name')} />
      <div className={pair}>
        <MoneyOf path={at('priceCents')} label={t(isSet ? 'office.group.surcharge' : 'office.money.price')} />
        {quantities ? <NumberOf path={at('default')} label={t('office.group.default')} /> : <Chosen path={at('default')} />}
        {isSet && <TextOf path={at('sku')} label={t('office.group.partSku')} nullable />}
      </div>
      <Accordion summary={t('office.group.more')} aside={<span className="text-ink-soft text-sm">{more}</span>}>
        <div className="flex flex-col gap-5">
          <More modifier={modifier} answer={answer} isSet={isSet} />
        </div>
      </Accordion>
    </>
  );
}

function More({ modifier: { id, prices }, answer, isSet }: Omit<ModifierProps, 'quantities'>) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const at = (field: string) => ['modifiers', id, field];
  return (
    <>
      <PricesByOption path={at('prices')} prices={prices} options={answer.options} />
      {!isSet && <TextOf path={at('sku')} label={t('office.group.sku')} hint={t('office.group.skuHint')} nullable />}
      <ChecksOf
        path={at('dietaryMarks')}
        label={t('office.group.marks')}
        options={dietaryMarks.map((value) => ({ value, label: shared(`modifiers.mark.${value}`) }))}
      />
      <ChecksOf
        path={at('allergens')}
        label={t('office.group.allergens')}
        options={allergens.map((value) => ({ value, label: shared(`modifiers.allergen.${value}`) }))}
      />
      {answer.others.length > 0 && (
        <ChecksOf
          path={at('opens')}
          label={t('office.group.opens')}
          hint={t('office.group.opensHint')}
          options={answer.others.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }))}
        />
      )}
      <CheckOf path={at('hidden')} label={t('office.group.hidden')} />
    </>
  );
}

const nameIn = (groups: GroupAnswer['others'], id: string, locale: Parameters<typeof inLocale>[1]) =>
  inLocale(groups.find(({ name }) => name === id)?.nameContent ?? ({ en: id } satisfies LocalText), locale);

/** One that can be chosen once is chosen beforehand, or is not. */
function Chosen({ path }: { path: readonly string[] }) {
  const form = useEdited();
  const { t } = useLanguage();
  const asFlag: EditedDocument = {
    ...form,
    valueAt: (at) => Number(form.valueAt(at)) > 0,
    change: (at, to) => form.change(at, to === true ? 1 : 0),
  };
  return (
    <div className="self-end">
      <EditedContext value={asFlag}>
        <CheckOf path={path} label={t('office.group.chosen')} />
      </EditedContext>
    </div>
  );
}

type Price = ModifierContent['prices'][number];

/** Prices of a modifier that differ by an option of the product, such as its size. */
function PricesByOption({ path, prices, options }: { path: Path; prices: readonly Price[]; options: GroupAnswer['options'] }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const choices = options.flatMap(({ name, values }) =>
    values.map((value) => ({
      value: JSON.stringify({ [canonicalText(name)]: canonicalText(value) }),
      label: `${inLocale(name, locale)}: ${inLocale(value, locale)}`,
    })),
  );
  const stored = prices.map(({ options: pairs }) => JSON.stringify(pairs));
  const labelOf = (pairs: string) =>
    choices.find(({ value }) => value === pairs)?.label ?? Object.values(JSON.parse(pairs)).join(' ');
  const put = (index: number, price: Price | null) =>
    form.change(path, price ? prices.with(index, price) : prices.toSpliced(index, 1));
  const left = choices.filter(({ value }) => !stored.includes(value));
  return (
    <div className="flex flex-col gap-3">
      {prices.map(({ options: pairs, priceCents }, index) => (
        <div key={stored[index]} className="flex flex-wrap items-end gap-3">
          <PriceField
            label={labelOf(stored[index] ?? '{}')}
            cents={priceCents}
            error={form.errorAt([...path, String(index), 'priceCents'], t('office.money.price'))}
            onChange={(cents) => put(index, { options: pairs, priceCents: cents })}
          />
          <Button label={t('office.remove')} variant="secondary" size="small" onClick={() => put(index, null)} />
        </div>
      ))}
      {left.length > 0 && (
        <Select
          label={t('office.group.priceBy')}
          placeholder={t('office.choose')}
          value=""
          options={left}
          onChange={({ target: { value } }) =>
            value && form.change(path, [...prices, { options: JSON.parse(value) as Price['options'], priceCents: 0 }])
          }
        />
      )}
    </div>
  );
}

interface PriceFieldProps {
  label: string;
  cents: number;
  error: string | undefined;
  onChange: (cents: number) => void;
}

function PriceField({ label, cents, error, onChange }: PriceFieldProps) {
  const { text, parse } = useMoney();
  return (
    <TextField
      key={label}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={text(cents)}
      error={error}
      // What is no number is refused by the server.
      onChange={({ target }) => onChange(parse(target.value) ?? Number.NaN)}
    />
  );
}

function PhoneSheet({ id, edits, answer: { options, currency } }: { id: string; edits: Patch['edits']; answer: GroupAnswer }) {
  const { t, locale, call } = useOffice();
  const [pairs, setPairs] = useState('');
  const trial = useTrial(['try-group', id, locale, edits], () => call('tryModifierGroup', { params: { id }, body: { edits } }));
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

function Sheet({ groups, currency, optionPairs }: { groups: readonly ModifierGroup[]; currency: string; optionPairs: string }) {
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
      className="flex flex-col overflow-hidden rounded-md border border-line bg-raised"
    >
      <div className="px-5 py-5">
        <ModifierFields
          modifiers={{ product, selections, select, price, errors: fieldTexts(errors, shared), note, setNote }}
          price={{ price: 0, currency }}
        />
      </div>
      <p className="border-line border-t px-5 py-3 font-semibold" role="status">
        {isWrong ? t('office.group.incomplete') : t('office.group.adds', { amount: formatMoney(price, locale, currency) })}
      </p>
    </section>
  );
}
