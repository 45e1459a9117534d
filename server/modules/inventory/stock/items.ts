import type { LocalText } from '#contract/locales.ts';
import { optionTextOf } from '#server/platform/option-text.ts';
import type { ItemRow } from './levels.repository.ts';

/** What a SKU is called, in every language. `optionContent` is null without options. */
export function namesOf({ name, pairs, options }: Pick<ItemRow, 'name' | 'pairs' | 'options'>) {
  const optionContent: LocalText | null = pairs === '' ? null : optionTextOf(pairs, JSON.parse(options));
  return { name: JSON.parse(name) as LocalText, optionContent };
}
