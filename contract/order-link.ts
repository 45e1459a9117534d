/** Its path carries a token, which is secret. `pathname` has no language. */
export function isOrderLinkPath(pathname: string): boolean {
  // The router ignores case.
  return /^\/order\/./i.test(pathname);
}
