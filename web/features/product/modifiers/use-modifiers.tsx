import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { inLocale, type Locale } from '#contract/locales.ts';
import {
  type ChosenModifier,
  canonicalSelections,
  chooseModifiers,
  defaultSelections,
  groupsById,
  type ModifiedProduct,
  type Selection,
} from '#contract/rules/modifiers.ts';
import type { LastChoice, ModifierGroup, ModifierSelection } from '#contract/schemas/modifiers.ts';
import { Button } from '#ui/button.tsx';
import { type FieldTexts, fieldErrorsOf, fieldTexts } from '#ui/errors.ts';
import { focusFirstInvalid } from '#ui/field.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { announce } from '#ui/page.tsx';
import { type ApiClient, useApi } from '#web/lib/api.ts';
import { productQuery } from '../queries.ts';

/** What a line, or a customer's last order, was made of. */
export interface EarlierChoice {
  modifiers: readonly Selection[];
  note: string;
}

interface ModifiersOptions extends ModifiedProduct<ModifierGroup> {
  productId: string;
  /** What it begins with; the defaults without. */
  from?: EarlierChoice | undefined;
}

/** The modifiers and the note of a line while they are chosen, in a form that has `ref`; judged and priced at every change. */
export function useModifiers({ productId, from, ...product }: ModifiersOptions) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const client = useQueryClient();
  const ref = useRef<HTMLFormElement>(null);
  const [selections, setSelections] = useState<readonly Selection[]>(() =>
    from ? offeredOf(product, from.modifiers) : defaultSelections(product),
  );
  const [note, setNote] = useState(from?.note ?? '');
  const [tried, setTried] = useState(false);
  const [rejected, setRejected] = useState<FieldTexts>({});
  const { price, errors } = chooseModifiers(product, selections, locale);
  // What is missing is said once somebody tries to order it; what is too much, at once.
  const shown = Object.entries(errors).filter(
    ([, error]) => tried || (typeof error === 'object' && error.key === 'rule.modifiersTooMany'),
  );
  const select = (next: readonly Selection[]) => {
    setSelections(next);
    setRejected({});
  };
  const point = () => void requestAnimationFrame(() => focusFirstInvalid(ref.current));

  /** Sends what was chosen. Null if it is not complete, or the shop rejected a choice: the form says so at its place. */
  const send = async <T,>(call: (chosen: { modifiers: ModifierSelection[]; note: string }) => Promise<T>): Promise<T | null> => {
    setTried(true);
    if (Object.keys(errors).length > 0) {
      point();
      return null;
    }
    try {
      return await call({ modifiers: canonicalSelections(selections), note: note.trim() });
    } catch (error) {
      const texts = fieldErrorsOf(error);
      setRejected(texts);
      // A price or a modifier may have changed since the product was loaded.
      await client.invalidateQueries({ queryKey: productQuery(api, productId).queryKey });
      if (!Object.keys(texts).some((path) => /^(?:modifiers|note)\b/.test(path))) throw error;
      point();
      return null;
    }
  };
  return {
    ref,
    product,
    selections,
    price,
    note,
    setNote,
    select,
    errors: { ...fieldTexts(Object.fromEntries(shown), t), ...rejected },
    send,
    take: (choice: EarlierChoice) => {
      select(offeredOf(product, choice.modifiers));
      setNote(choice.note);
    },
  };
}

type Modifiers = ReturnType<typeof useModifiers>;

/** The names of modifiers, with those of what they opened. */
function namesOf(chosen: readonly ChosenModifier<ModifierGroup>[], locale: Locale): string[] {
  return chosen.flatMap(({ modifier, modifiers }) => [inLocale(modifier.nameContent, locale), ...namesOf(modifiers, locale)]);
}

/** What is still offered of an earlier choice. */
export function offeredOf(
  product: ModifiedProduct<ModifierGroup>,
  choices: readonly Selection[],
  groups: readonly ModifierGroup[] = product.groups.filter(({ opened }) => !opened),
): Selection[] {
  return groups.flatMap(({ id, modifiers }) =>
    modifiers.flatMap((modifier) => {
      const choice = choices.find((each) => each.group === id && each.modifier === modifier.id);
      if (!choice) return [];
      const opened = groupsById(product.groups, modifier.opens);
      const { quantity = 1 } = choice;
      return [{ group: id, modifier: modifier.id, quantity, modifiers: offeredOf(product, choice.modifiers ?? [], opened) }];
    }),
  );
}

/** What the customer chose when they last ordered a product. Removed with the rest of their data when they sign out. */
export function lastChoiceQuery(api: ApiClient, product: string) {
  return queryOptions({
    queryKey: ['own', 'lastChoice', product],
    queryFn: ({ signal }) => api.call('lastChoice', { query: { product }, signal }),
    staleTime: 0,
    retry: false,
  });
}

interface SameAsLastTimeProps {
  modifiers: Modifiers;
  last: LastChoice;
  /** Chooses the options of the product as well. */
  onTake: (last: LastChoice) => void;
  className?: string;
}

/** Chooses what the customer chose when they last ordered the product; nothing if that is no longer offered. */
export function SameAsLastTime({ modifiers, last, onTake, className }: SameAsLastTimeProps) {
  const t = useT();
  const locale = useLocale();
  const { product, take } = modifiers;
  const { chosen, errors } = chooseModifiers(product, offeredOf(product, last.modifiers), locale);
  const choices = [...namesOf(chosen, locale), ...(last.note ? [last.note] : [])].join(t('ui.listSeparator'));
  if (choices === '' || Object.keys(errors).length > 0) return null;
  return (
    <Button
      variant="secondary"
      size="small"
      className={className}
      onClick={() => {
        take(last);
        onTake(last);
        announce(t('modifiers.lastTime.now', { choices }));
      }}
    >
      {t('modifiers.lastTime')}
      <span className="sr-only">
        {t('ui.listSeparator')}
        {choices}
      </span>
    </Button>
  );
}
