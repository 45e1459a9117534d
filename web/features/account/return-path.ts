import { sameSitePath } from '#contract/rules/account.ts';
import { splitLocale } from '#web/lib/locale-path.ts';

/**
 * The page to return to after signing in: a path of this shop without its language. Undefined if `referFrom` leads out of the
 * shop or back to signing in.
 */
export function returnPath(referFrom: unknown): string | undefined {
  const path = sameSitePath(referFrom);
  if (path === null) return undefined;
  const at = path.search(/[?#]|$/);
  const { pathname } = splitLocale(path.slice(0, at));
  const loops = pathname === '/account/login' || pathname === '/account/signup';
  // `/zh//host` is a path of this shop, but without its language it would name another host.
  return loops || pathname.startsWith('//') ? undefined : pathname + path.slice(at);
}
