/** Content in the shop's languages beside the first. */
export {
  type FoundDocument,
  type May,
  type TranslationsService,
  textAt,
  type WantedText,
} from './translations.service.ts';
