/** The language in the URL, shared with the server. */
export { localizePath, splitLocale } from '#contract/locale-path.ts';
