/** The settings of the document that has those of no other room. */
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { type MoreSettingsDocument, moreSettings } from '#contract/schemas/more-settings.ts';
import type { ShopSettings } from './settings.schema.ts';

const keys = [...(Object.keys(moreSettings) as (keyof typeof moreSettings)[]), 'returnsLine'] as const;
type MoreSettings = Pick<ShopSettings, (typeof keys)[number]>;

export const isMoreSetting = (key: string): key is keyof MoreSettings =>
  (keys as readonly string[]).includes(key);

export function moreSettingsOf(settings: MoreSettings): MoreSettingsDocument {
  const own = Object.fromEntries(keys.map((key) => [key, settings[key]])) as MoreSettings;
  const {
    text = { [mainLocale()]: '' } as LocalText,
    link = '',
    categories = [],
  } = settings.returnsLine ?? {};
  return { id: 'shop', ...own, returnsLine: { text, link, categories } };
}

/** A sentence without words is none; without categories, all products show it. */
export function settingsOf({ id, returnsLine, ...own }: MoreSettingsDocument): MoreSettings {
  const { text, link, categories } = returnsLine;
  const isBlank = link === '' && Object.values(text).every((each) => each.trim() === '');
  return {
    ...own,
    returnsLine: isBlank ? null : { text, link, ...(categories.length > 0 && { categories }) },
  };
}
