/** The page that asks before a link adds to a cart. It needs no scripts, and loads nothing. */
import { hash } from 'node:crypto';
import { type Locale, locales } from '#contract/locales.ts';
import { escapeHtml } from '#server/platform/html.ts';
import { translate } from '#server/platform/i18n.ts';

interface CartLinkPage {
  items: readonly { name: string; quantity: number }[];
  /** How many items the shop does not sell. */
  missing: number;
  /** Units in the visitor's cart. */
  own: number;
  /** Of the agent that made the link; null for none. */
  host: string | null;
  /** Where the button sends. */
  action: string;
  back: string;
}

const style = `
:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 8vh auto; padding: 0 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; text-wrap: balance }
ul { margin: 1.25rem 0; padding: 0; list-style: none; border-block: 1px solid color-mix(in srgb, currentColor 20%, transparent) }
li { display: flex; gap: .75rem; padding: .75rem 0 }
li + li { border-top: 1px solid color-mix(in srgb, currentColor 12%, transparent) }
li span:first-child { min-width: 2.75rem; font-variant-numeric: tabular-nums }
p { margin: 0 0 .75rem }
form { display: flex; flex-wrap: wrap; align-items: center; gap: 1.5rem; margin-top: 1.5rem }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: 0 1.5rem; border: 0; border-radius: .375rem; cursor: pointer;
  background: CanvasText; color: Canvas }
a { color: inherit; min-height: 2.75rem; display: inline-flex; align-items: center }
:focus-visible { outline: 3px solid Highlight; outline-offset: 3px }
`;

export const pageHeaders = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'same-origin',
  'x-robots-tag': 'noindex',
};

export function cartLinkPage(
  { items, missing, own, host, action, back }: CartLinkPage,
  lang: Locale,
): string {
  const t = translate(lang);
  const title = escapeHtml(t('cartLink.title'));
  const lines = items
    .map(({ name, quantity }) => `<li><span>${quantity} ×</span><span>${escapeHtml(name)}</span></li>`)
    .join('');
  const said = [
    ...(host === null ? [] : [t('cartLink.from', { host })]),
    ...(own === 0 ? [] : [t('cartLink.kept', { count: own })]),
    ...(missing === 0 ? [] : [t('cartLink.missing', { count: missing })]),
  ].map((text) => `<p>${escapeHtml(text)}</p>`);
  const list = items.length === 0 ? '' : `<ul>${lines}</ul>`;
  const form = `<form method="post" action="${escapeHtml(action)}"><button>${escapeHtml(t('cartLink.add'))}</button><a href="${escapeHtml(back)}">${escapeHtml(t('cartLink.notNow'))}</a></form>`;
  const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style>`;
  return `<!doctype html><html lang="${locales[lang].tag}"><head>${head}</head><body><main><h1>${title}</h1>${list}${said.join('')}${form}</main></body></html>`;
}
