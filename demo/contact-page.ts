/** The page `contact`, from the stores' own data: where they are, when they are open, how to reach them. */

import { weekdays } from '#contract/limits.ts';
import { inLocale, type Locale, type LocalText, localeCodes } from '#contract/locales.ts';
import en from '#contract/messages/en.json' with { type: 'json' };
import zh from '#contract/messages/zh.json' with { type: 'json' };
import stores from './data/stores.json' with { type: 'json' };

type Store = (typeof stores)[number];

const messages = { en, zh };

export function contactPage() {
  return {
    name: 'contact',
    title: { en: 'Stores & contact', zh: '门店与联系' },
    metaDescription: {
      en: 'Where our stores are, when they are open, and how to reach them.',
      zh: '各门店地址、营业时间与联系方式。',
    },
    blocks: [
      {
        id: 'contact-pictures',
        type: 'imageInfo',
        items: stores.map(({ name, description, image }) => ({
          image,
          alt: name,
          title: name,
          text: description,
          link: '',
          linkLabel: { en: '', zh: '' },
        })),
      },
      ...stores.map((store) => ({
        id: `contact-${store.id}`,
        type: 'text',
        title: store.name,
        paragraphs: [everywhere(() => addressOf(store)), everywhere(() => `${store.phone} · ${store.email}`)],
        items: weekdays.map((day) => everywhere((locale) => hoursOf(store, day, locale))),
      })),
    ],
  };
}

function everywhere(text: (locale: Locale) => string): LocalText {
  return Object.fromEntries(localeCodes.map((locale) => [locale, text(locale)])) as LocalText;
}

function addressOf({ address: { street, city, provinceCode, postCode } }: Store): string {
  return `${street}, ${city}, ${provinceCode} ${postCode}`;
}

function hoursOf({ openingHours }: Store, day: (typeof weekdays)[number], locale: Locale): string {
  const hours = openingHours[day];
  const words = { en: messages.en[`day.${day}`], zh: messages.zh[`day.${day}`] };
  const closed = { en: messages.en['confirm.closed'], zh: messages.zh['confirm.closed'] };
  return `${inLocale(words, locale)}  ${hours ? `${hours.open}–${hours.close}` : inLocale(closed, locale)}`;
}
