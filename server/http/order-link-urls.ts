import { isOrderLinkPath, splitLocale } from '#contract/locales.ts';

export function isOrderLinkUrl(url: string): boolean {
  return isOrderLinkPath(splitLocale(canonicalPath(url)).pathname);
}

const hidden = '(token)';
/** What precedes a token: in a page's path, and in a call's. */
const beforeToken = /^(order|orderLink)$/i;
/** 256 bits as base64url, which hardly ever lack a capital letter. */
const tokenLike = /^(?=.*[A-Z])[\w-]{43}$/;

export function withoutTokens(path: string): string {
  const segments = path.split('/');
  const isToken = (index: number) => {
    const [grandparent, parent, segment] = [-2, -1, 0].map((offset) => decoded(segments[index + offset] ?? ''));
    if (!segment || !parent) return false;
    return (beforeToken.test(parent) && grandparent !== 'orderManagement') || tokenLike.test(segment);
  };
  return segments.map((segment, index) => (isToken(index) ? hidden : segment)).join('/');
}

function canonicalPath(url: string): string {
  try {
    return decoded(new URL(url.replace(/^[/\\]+/, '/'), 'http://shop').pathname).replaceAll(/\/{2,}/g, '/');
  } catch {
    return url;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
