/** The language in the URL, as the server writes it too. */
export { localizePath, splitLocale } from '#contract/locale-path.ts';
