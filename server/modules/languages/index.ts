/** Content in the shop's languages beside the first. */
export type { FoundDocument, May, TranslationsService, WantedText } from './translations.service.ts';
