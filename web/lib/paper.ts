/**
 * The page's colours in both schemes, as `--color-paper` in `styles/tokens.css`: a meta element cannot reference a token. The build
 * replaces this module by one with the colours of the shop's brand (`web/brand-plugin.ts`).
 */
export const paper = { light: '#f8f4ed', dark: '#1a1815' };
