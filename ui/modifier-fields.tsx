import { type ReactNode, useId } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import {
  defaultSelections,
  groupsById,
  isSoldOut,
  type ModifiedProduct,
  modifierDepth,
  modifierPrice,
  type Selection,
} from '#contract/rules/modifiers.ts';
import type { Modifier, ModifierGroup } from '#contract/schemas/modifiers.ts';
import type { Translate } from '#contract/translate.ts';
import { Choice } from './choices.tsx';
import { cx } from './cx.ts';
import type { FieldTexts } from './errors.ts';
import { FieldError } from './field.tsx';
import { formatMoney } from './format.ts';
import { useLocale, useT } from './i18n.tsx';
import { TextArea } from './inputs.tsx';
import { QuantityStepper } from './quantity-stepper.tsx';

/** The modifiers and the note of a unit while they are chosen. */
export interface ModifierChoice {
  product: ModifiedProduct<ModifierGroup>;
  selections: readonly Selection[];
  select: (selections: readonly Selection[]) => void;
  /** Of all of them, cents. */
  price: number;
  /** By `modifiers.<group>` as the rules say, and `note`. */
  errors: FieldTexts;
  note: string;
  setNote: (note: string) => void;
}

interface ModifierFieldsProps {
  modifiers: ModifierChoice;
  /** The price of a unit without modifiers. */
  price: { price: number; currency: string };
}

/** The groups of a product, those that were opened by a choice below it, and the note. Fields of a form that works without scripts. */
export function ModifierFields({ modifiers, price: { price, currency } }: ModifierFieldsProps) {
  const t = useT();
  const locale = useLocale();
  const { product, selections, select, errors, note, setNote } = modifiers;
  const chooser = { product, currency, errors };
  const groups = product.groups.filter(({ opened }) => !opened);
  return (
    <div className="flex flex-col gap-7">
      <Groups {...{ chooser, groups, selections }} path={[]} depth={1} onChange={select} />
      <p className="sr-only" aria-live="polite">
        {t('modifiers.total', { amount: formatMoney(price + modifiers.price, locale, currency) })}
      </p>
      <TextArea
        name="note"
        label={t('modifiers.note')}
        hint={t('modifiers.noteHint', { count: note.length, most: limits.lineNoteLength })}
        rows={2}
        maxLength={limits.lineNoteLength}
        value={note}
        error={errors.note}
        onChange={(event) => setNote(event.target.value)}
      />
    </div>
  );
}

type Chooser = Pick<ModifierChoice, 'product' | 'errors'> & { currency: string };

interface GroupsProps {
  chooser: Chooser;
  groups: readonly ModifierGroup[];
  selections: readonly Selection[];
  /** The ids of the group and the modifier that opened the groups, and of those that opened these; empty for the product's own. */
  path: readonly string[];
  depth: number;
  onChange: (selections: readonly Selection[]) => void;
}

function Groups({ groups, selections, path, onChange, ...rest }: GroupsProps) {
  return groups.map((group) => (
    <Group
      key={group.id}
      {...rest}
      group={group}
      path={[...path, group.id]}
      chosen={selections.filter(({ group: id }) => id === group.id)}
      onChange={(chosen) => onChange([...selections.filter(({ group: id }) => id !== group.id), ...chosen])}
    />
  ));
}

interface GroupProps extends Pick<GroupsProps, 'chooser' | 'path' | 'depth' | 'onChange'> {
  group: ModifierGroup;
  chosen: readonly Selection[];
}

function Group(props: GroupProps) {
  const t = useT();
  const locale = useLocale();
  const id = useId();
  const { group, path } = props;
  const { product, errors } = props.chooser;
  const error = errors[['modifiers', ...path].join('.')];
  const served = product.storeId === null ? group.served?.text : group.served?.stores[product.storeId];
  const text = [group.textContent && inLocale(group.textContent, locale), served].filter(Boolean).join(' · ');
  const single = isSingle(group);
  const List = hasChips(group) ? Chips : Rows;
  return (
    <fieldset
      className="min-w-0"
      role={single ? 'radiogroup' : undefined}
      data-invalid={error ? true : undefined}
      aria-describedby={cx(text && `${id}-text`, error && `${id}-error`) || undefined}
    >
      <legend className="mb-2 flex w-full items-baseline justify-between gap-4 leading-[1.35]">
        <span className="font-semibold">{inLocale(group.nameContent, locale)}</span>
        <span className="text-right text-ink-soft text-sm">{neededOf(group, t)}</span>
      </legend>
      {text && (
        <p id={`${id}-text`} className="-mt-1 mb-2 text-ink-soft text-sm">
          {text}
        </p>
      )}
      <List {...props} />
      <FieldError id={`${id}-error`} className="mt-2">
        {error}
      </FieldError>
    </fieldset>
  );
}

/** As the form sends it without scripts; ids have no slashes. */
const fieldName = (path: readonly string[]) => ['modifiers', ...path].join('/');

const isSingle = ({ min, max }: ModifierGroup) => min === 1 && max === 1;

/** One choice of a few words needs no lines of its own. */
const hasChips = (group: ModifierGroup) =>
  isSingle(group) &&
  !group.setParts &&
  group.modifiers.every((each) => each.dietaryMarks.length + each.allergens.length === 0);

function neededOf({ min, max, free }: ModifierGroup, t: Translate): string {
  const needed =
    min === max
      ? t('modifiers.choose', { count: min })
      : min > 0
        ? t('modifiers.chooseBetween', { min, max })
        : max > 1
          ? t('modifiers.upTo', { count: max })
          : t('ui.optional');
  return free > 0 ? t('modifiers.withFree', { needed, count: free }) : needed;
}

function Chips(props: GroupProps) {
  const { group, chosen, path, onChange, chooser } = props;
  const locale = useLocale();
  const t = useT();
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {group.modifiers.map((modifier) => {
          const { soldOut, price } = stateOf(modifier, chooser);
          return (
            <Choice
              key={modifier.id}
              name={fieldName(path)}
              value={modifier.id}
              chosen={chosen[0]?.modifier ?? null}
              disabled={soldOut}
              onChange={() => onChange([selectionOf(modifier, props)])}
            >
              <span className="choice-face chip">
                {inLocale(modifier.nameContent, locale)}
                <Price price={price} soldOut={soldOut} some={false} currency={chooser.currency} t={t} />
              </span>
            </Choice>
          );
        })}
      </div>
      {chosen.map((selection) => (
        <Opened key={selection.modifier} {...props} selection={selection} className="mt-4" />
      ))}
    </>
  );
}

function Rows(props: GroupProps) {
  return (
    <ul className="divide-y divide-line border-line border-y">
      {props.group.modifiers.map((modifier) => (
        <Row key={modifier.id} {...props} modifier={modifier} />
      ))}
    </ul>
  );
}

function Row({ modifier, ...props }: GroupProps & { modifier: Modifier }) {
  const t = useT();
  const locale = useLocale();
  const { group, chosen, path, onChange, chooser } = props;
  const { soldOut, price } = stateOf(modifier, chooser);
  const selection = chosen.find((each) => each.modifier === modifier.id);
  const others = chosen.filter((each) => each !== selection);
  const name = inLocale(modifier.nameContent, locale);
  const some = !group.setParts && group.modifiers.some((each) => stateOf(each, chooser).price > 0);
  const put = (quantity: number) => {
    if (quantity === 0) return onChange(others);
    const next = { ...(selection ?? selectionOf(modifier, props)), quantity };
    onChange(group.max === 1 ? [next] : [...others, next]);
  };
  const words = (
    <span className="min-w-0 flex-1 py-2 leading-snug">
      {name}
      <Marks modifier={modifier} />
    </span>
  );
  const cost = <Price {...{ price, soldOut, some, t }} currency={chooser.currency} />;
  const left = group.max - others.reduce((sum, { quantity = 1 }) => sum + quantity, 0);
  return (
    <li>
      {group.quantities ? (
        <div className={cx('flex min-h-13 items-center gap-3', soldOut && 'text-ink-soft')}>
          {words}
          {cost}
          {!soldOut && (
            <QuantityStepper
              name={fieldName([...path, modifier.id])}
              value={selection?.quantity ?? 0}
              range={{ min: 0, max: Math.max(left, 0) }}
              onChange={put}
              label={name}
              className="[&>button]:size-10 [&>input]:h-10 [&>input]:w-7"
            />
          )}
        </div>
      ) : (
        <label
          className={cx('flex min-h-12 items-center gap-3', soldOut ? 'text-ink-soft' : 'cursor-pointer')}
        >
          <input
            type={isSingle(group) ? 'radio' : 'checkbox'}
            name={fieldName(path)}
            value={modifier.id}
            checked={selection !== undefined}
            // One that sold out meanwhile can still be taken away.
            disabled={soldOut && !selection}
            onChange={(event) => put(event.target.checked ? 1 : 0)}
            className="size-5.5 flex-none accent-action"
          />
          {words}
          {cost}
        </label>
      )}
      {selection && <Opened {...props} selection={selection} className="mt-1 mb-4" />}
    </li>
  );
}

/** The groups that a choice opened, with a line at their side. */
function Opened({
  chooser,
  group,
  chosen,
  path,
  depth,
  onChange,
  selection,
  className,
}: GroupProps & { selection: Selection; className: string }) {
  const modifier = group.modifiers.find(({ id }) => id === selection.modifier);
  const groups = groupsById(chooser.product.groups, depth < modifierDepth && modifier ? modifier.opens : []);
  if (groups.length === 0) return null;
  return (
    <div className={cx('flex flex-col gap-5 border-action border-l-2 pl-4', className)}>
      <Groups
        {...{ chooser, groups }}
        selections={selection.modifiers ?? []}
        path={[...path, selection.modifier]}
        depth={depth + 1}
        onChange={(modifiers) =>
          onChange(chosen.map((each) => (each === selection ? { ...each, modifiers } : each)))
        }
      />
    </div>
  );
}

function stateOf(modifier: Modifier, { product: { optionPairs, storeId } }: Chooser) {
  return { soldOut: isSoldOut(modifier, storeId), price: modifierPrice(modifier, optionPairs) };
}

/** A modifier as it is when it is chosen: with the defaults of what it opens. */
function selectionOf({ id, opens }: Modifier, { group, depth, chooser: { product } }: GroupProps): Selection {
  const modifiers = depth < modifierDepth ? defaultSelections(product, opens, depth + 1) : [];
  return { group: group.id, modifier: id, quantity: 1, modifiers };
}

interface PriceProps {
  price: number;
  soldOut: boolean;
  /** Whether a choice beside it costs something, so that it says that it is free. */
  some: boolean;
  currency: string;
  t: Translate;
}

function Price({ price, soldOut, some, currency, t }: PriceProps) {
  const locale = useLocale();
  const text: ReactNode = soldOut
    ? t('ui.soldOut')
    : price > 0
      ? t('product.option.adds', { price: formatMoney(price, locale, currency) })
      : some && t('modifiers.free');
  return text && <span className="whitespace-nowrap text-ink-soft text-sm/tight tabular-nums">{text}</span>;
}

function Marks({ modifier: { dietaryMarks, allergens } }: { modifier: Modifier }) {
  const t = useT();
  const contained = allergens.map((each) => t(`modifiers.allergen.${each}`)).join(t('ui.listSeparator'));
  // What is vegan is vegetarian.
  const shown = dietaryMarks.filter((each) => each !== 'vegetarian' || !dietaryMarks.includes('vegan'));
  const words = [
    ...shown.map((each) => t(`modifiers.mark.${each}`)),
    ...(contained ? [t('modifiers.contains', { list: contained })] : []),
  ];
  if (words.length === 0) return null;
  return <span className="block text-ink-soft text-sm first-letter:uppercase">{words.join(' · ')}</span>;
}
