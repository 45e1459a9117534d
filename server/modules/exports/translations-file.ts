/** The file for translators: a row for each text with its translation, which the import of translations reads. */
import type { Readable } from 'node:stream';
import type { Row } from '#contract/csv.ts';
import type { Locale } from '#contract/locales.ts';
import type { StaffBody } from '#contract/staff/endpoints.ts';
import { staffTranslate } from '#contract/staff/messages.ts';
import { translationHeader } from '#server/modules/imports/index.ts';
import type { May, TranslationsService } from '#server/modules/languages/index.ts';
import { csvOf } from '#server/platform/csv.ts';
import { fieldOf } from '#server/platform/local-texts.ts';
import { xlsxOf } from '#server/platform/xlsx.ts';

export interface TranslationsWanted extends StaffBody<'exportTranslations'> {
  table: 'translations';
}

interface Deps {
  translations: Pick<TranslationsService, 'documents'>;
  now: () => number;
}

const textsAtOnce = 500;
/** What a cell of Excel can hold, characters. */
const longestCell = 32_767;

export function createTranslationsFile({ translations, now }: Deps) {
  async function* rows(wanted: TranslationsWanted, may: May, locale: Locale): AsyncGenerator<Row[]> {
    const t = staffTranslate(locale);
    const { language, format } = wanted;
    const fits = (text: string) => format === 'csv' || text.length <= longestCell;
    for await (const { documents } of translations.documents(may, wanted, { most: textsAtOnce, locale }))
      yield documents.flatMap(({ of, document, title, texts }) =>
        texts
          .filter(({ source, translation }) => fits(source) && fits(translation))
          .map(({ found, label, source, translation, state }) => [
            of.kind,
            { code: document.id },
            { code: fieldOf(found.path) },
            `${title} · ${label}`,
            language,
            source,
            translation,
            t(`office.languages.state.${state}`),
          ]),
      );
  }

  return {
    translations: (wanted: TranslationsWanted, may: May, locale: Locale): AsyncGenerator<string> =>
      csvOf(translationHeader(locale), rows(wanted, may, locale)),
    translationsSheet: (wanted: TranslationsWanted, may: May, locale: Locale): Promise<Readable> =>
      xlsxOf(
        staffTranslate(locale)('office.languages'),
        translationHeader(locale),
        rows(wanted, may, locale),
        now(),
      ),
  };
}
