import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { type Locale, localeCodes } from '#contract/locales.ts';
import { I18nProvider } from '#ui/i18n.tsx';
import { loadI18n } from '#web/i18n/messages.ts';
import { SizeDrawing } from './size-drawing.tsx';

/** The width of a text of 13 px, a little more than it takes in the shop's fonts. */
const widthOf = (text: string) => [...text].reduce((sum, letter) => sum + letterWidth(letter), 0);
const letterWidth = (letter: string) =>
  /\p{Script=Han}/u.test(letter) ? 13 : /[. ]/.test(letter) ? 5 : /\d/.test(letter) ? 6.5 : 9;

test.each(localeCodes)('the drawing of a size has room for the measure of the height (%s)', async (locale: Locale) => {
  const i18n = await loadI18n(locale);
  const size = { outline: 'lamp', widthCm: 40, heightCm: 23.5, reference: null } as const;
  const html = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <SizeDrawing name="Lamp" size={size} />
    </I18nProvider>,
  );
  const [, end = '', text = ''] = /<text x="([\d.]+)"[^>]*text-anchor="end">([^<]+)</.exec(html) ?? [];
  expect(text).toContain('23.5');
  expect(Number(end) - widthOf(text)).toBeGreaterThanOrEqual(0);
});
