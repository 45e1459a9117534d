/** A modifier group, and beside it the sheet in which a shopper's phone asks for it. */
import { useParams } from '@tanstack/react-router';
import { allergens, dietaryMarks } from '#contract/limits.ts';
import { canonicalText, inLocale, type LocalText, mainLocale } from '#contract/locales.ts';
import type { ModifierInput } from '#contract/schemas/modifier-input.ts';
import { classText } from '#contract/staff/book-words.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import type { StaffMessageKey } from '#contract/staff/messages.ts';
import { Accordion } from '#ui/accordion.tsx';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { FormSection } from '#ui/form.tsx';
import { formatMoney } from '#ui/format.ts';
import { useT } from '#ui/i18n.tsx';
import { Select, TextField } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { type EditedDocument, type Path, useTrial } from '../../lib/document.tsx';
import { CheckOf, EditedContext, EntrySteps, NumberOf, useEdited } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { useMoney } from '../../lib/money.tsx';
import { PhoneSheet } from '../../lib/phone-sheet.tsx';
import { Fields, SchemaForm } from '../../lib/schema-form.tsx';

type GroupAnswer = StaffResponse<'modifierGroup'>;

export default function GroupPage() {
  const { group: id = '' } = useParams({ strict: false }) as { group?: string };
  const { t } = useLanguage();
  return (
    <KindPage
      kind="modifierGroup"
      id={id}
      name={['modifier-group', id]}
      list={{ path: 'menus', query: 'modifier-groups', title: t('office.menus') }}
      needs="goods.write"
      removable
      aside={(answer, edits) => <GroupSheet id={id} edits={edits} answer={answer} />}
    >
      {(answer) => (
        <>
          <GroupFields answer={answer} />
          <UsedBy products={answer.products} />
        </>
      )}
    </KindPage>
  );
}

export function GroupFields({ answer }: { answer: GroupAnswer }) {
  return (
    <SchemaForm
      fields={forms.modifierGroup}
      own={{ modifiers: (_, { fields = [] }) => <Modifiers key="modifiers" {...{ fields, answer }} /> }}
    />
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

interface ModifiersProps {
  fields: readonly FormField[];
  answer: GroupAnswer;
}

function Modifiers({ fields, answer }: ModifiersProps) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const { modifiers } = answer.content;
  const ids = modifiers.map(({ id }) => id);
  const add = () => {
    const id = `choice-${crypto.randomUUID().slice(0, 8)}`;
    form.change(['modifiers', id], {
      id,
      name: { [mainLocale()]: '' },
      priceCents: 0,
      prices: [],
      default: 0,
      sku: null,
      dietaryMarks: [],
      allergens: [],
      opens: [],
      taxClass: null,
      singleServings: 1,
      hidden: false,
    } satisfies ModifierInput);
  };
  return (
    <>
      {modifiers.map((modifier, index) => {
        const name = inLocale(modifier.name, locale) || t('office.group.newChoice');
        return (
          <fieldset
            key={modifier.id}
            className="flex flex-col gap-5 rounded-md border border-line p-4 product:p-5"
          >
            <legend className="px-2 font-semibold">{name}</legend>
            <Modifier {...{ modifier, fields, answer }} />
            <EntrySteps list="modifiers" ids={ids} index={index} name={name} />
          </fieldset>
        );
      })}
      <Button
        label={t('office.group.addChoice')}
        variant="secondary"
        icon="plus"
        className="self-start"
        onClick={add}
      />
    </>
  );
}

const isMore = ({ section }: FormField) => section === 'office.group.more';
/** What these fields mean in a set meal. */
const ofSets: Readonly<Record<string, StaffMessageKey>> = {
  priceCents: 'office.group.surcharge',
  sku: 'office.group.partSku',
};

function inSet(field: FormField): FormField {
  const { hint: _, ...words } = field;
  const label = ofSets[field.path.join('.')];
  return label ? { ...words, label } : field;
}

function Modifier({ modifier, fields, answer }: ModifiersProps & { modifier: ModifierInput }) {
  const { t, locale } = useLanguage();
  const shared = useT();
  const { id, prices, sku, dietaryMarks: marks, allergens: contained, opens, taxClass, hidden } = modifier;
  const { setParts: isSet, quantities } = answer.content;
  const money = (cents: number) => formatMoney(cents, locale, answer.currency);
  const more = [
    ...prices.map(({ options, priceCents }) => `${Object.values(options).join(' ')} ${money(priceCents)}`),
    ...(sku === null || isSet ? [] : [sku]),
    ...marks.map((each) => shared(`modifiers.mark.${each}`)),
    ...contained.map((each) => shared(`modifiers.allergen.${each}`)),
    ...opens.map((each) => nameIn(answer.others, each, locale)),
    ...(taxClass === null ? [] : [classText(t, taxClass)]),
    ...(hidden ? [t('office.store.hidden')] : []),
  ].join(' · ');
  const draw = (drawn: readonly FormField[]) => (
    <Fields
      fields={isSet ? drawn.map(inSet) : drawn}
      at={['modifiers', id]}
      choices={{
        'modifiers.dietaryMarks': dietaryMarks.map((value) => ({
          value,
          label: shared(`modifiers.mark.${value}`),
        })),
        'modifiers.allergens': allergens.map((value) => ({
          value,
          label: shared(`modifiers.allergen.${value}`),
        })),
        'modifiers.opens': answer.others.map(({ name, nameContent }) => ({
          value: name,
          label: inLocale(nameContent, locale),
        })),
      }}
      own={{
        'modifiers.default': (path, { label }) =>
          quantities ? (
            <NumberOf key="default" path={path} label={t(label)} />
          ) : (
            <Chosen key="default" path={path} />
          ),
        'modifiers.prices': (path, { label }) => (
          <PricesByOption key="prices" {...{ path, prices }} label={t(label)} options={answer.options} />
        ),
      }}
    />
  );
  return (
    <>
      {draw(fields.filter((field) => !isMore(field)))}
      <Accordion
        summary={t('office.group.more')}
        aside={<span className="text-ink-soft text-sm">{more}</span>}
      >
        <div className="flex flex-col gap-5">{draw(fields.filter(isMore))}</div>
      </Accordion>
    </>
  );
}

const nameIn = (groups: GroupAnswer['others'], id: string, locale: Parameters<typeof inLocale>[1]) =>
  inLocale(groups.find(({ name }) => name === id)?.nameContent ?? ({ en: id } satisfies LocalText), locale);

/** One that can be chosen once is chosen beforehand, or is not. */
function Chosen({ path }: { path: Path }) {
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

type Price = ModifierInput['prices'][number];

interface PricesProps {
  path: Path;
  label: string;
  prices: readonly Price[];
  options: GroupAnswer['options'];
}

/** Prices of a modifier that differ by an option of the product, such as its size. */
function PricesByOption({ path, label, prices, options }: PricesProps) {
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
  const { currency } = useMoney();
  const print = (list: unknown) =>
    ((list ?? []) as Price[])
      .map(
        (each) =>
          `${labelOf(JSON.stringify(each.options))} ${formatMoney(each.priceCents, locale, currency)}`,
      )
      .join(t('office.listSeparator'));
  const error = form.errorAt(path, label, print);
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
          <Button
            label={t('office.remove')}
            variant="secondary"
            size="small"
            onClick={() => put(index, null)}
          />
        </div>
      ))}
      <FieldError id={`${path.join('.')}-error`}>{error}</FieldError>
      {left.length > 0 && (
        <Select
          label={label}
          placeholder={t('office.choose')}
          value=""
          options={left}
          onChange={({ target: { value } }) =>
            value &&
            form.change(path, [...prices, { options: JSON.parse(value) as Price['options'], priceCents: 0 }])
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

function GroupSheet({
  id,
  edits,
  answer: { options, currency },
}: {
  id: string;
  edits: Patch['edits'];
  answer: GroupAnswer;
}) {
  const { locale, call } = useOffice();
  const trial = useTrial(['try-group', id, locale, edits], () =>
    call('tryModifierGroup', { params: { id }, body: { edits } }),
  );
  return <PhoneSheet trial={trial} options={options} currency={currency} />;
}
