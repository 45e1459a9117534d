/** The rules of html-validate for the shop’s pages. A comment gives the reason for each rule that is off. */
import type { ConfigData } from 'html-validate';

export const htmlRules: ConfigData = {
  root: true,
  extends: ['html-validate:standard', 'html-validate:a11y', 'html-validate:document'],
  rules: {
    // Dialogs stand before the page's h1, closed, and are headed by an h2; that a page has one h1 is tested apart.
    'heading-level': ['error', { minInitialRank: 'h2', sectioningRoots: [] }],
    // The lines of a cart are items of a list and are called by what is in them.
    'aria-label-misuse': ['error', { allowAnyNamable: true }],
    // The shop's own files are named by their content; nobody else's are on its pages.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
};
