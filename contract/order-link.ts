/** Whether a page's path (without language) is an order by its link: it carries a token, which is secret. */
export function isOrderLinkPath(pathname: string): boolean {
  // The router ignores case.
  return /^\/order\/./i.test(pathname);
}
