/** Limits payment providers' scripts to the documents of /payment (docs/decisions/0021). */
import { useHydrated, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { splitLocale } from '#web/lib/locale-path.ts';
import { urls } from '#web/lib/urls.ts';

const isPayment = (path: string) => splitLocale(path).pathname === urls.payment();

/** Whether this document was loaded as /payment; if a link within the shop led here, it is the other page's. */
function openedHere(): boolean {
  const [opened] = performance.getEntriesByType('navigation');
  return opened !== undefined && isPayment(new URL(opened.name).pathname);
}

/**
 * If `others` take part in paying, /payment needs a document of its own, whose policy allows their scripts, and leaving it
 * loads the next page's document, whose policy does not. False until this is the right document.
 */
export function usePaymentDocument(others: boolean | undefined): boolean {
  const router = useRouter();
  const right = useHydrated() && (others === false || openedHere());
  useEffect(() => {
    if (!others) return;
    // If Back restores this document from the browser's cache, it must not still be navigating away.
    const renew = ({ persisted }: PageTransitionEvent) => persisted && location.reload();
    addEventListener('pageshow', renew);
    if (!openedHere()) location.replace(location.href);
    const unblock = router.history.block({
      enableBeforeUnload: false,
      blockerFn: ({ nextLocation: { pathname, href }, action }) => {
        if ((action !== 'PUSH' && action !== 'REPLACE') || isPayment(pathname)) return false;
        if (action === 'PUSH') location.assign(href);
        else location.replace(href);
        return true;
      },
    });
    return () => {
      removeEventListener('pageshow', renew);
      unblock();
    };
  }, [others, router]);
  return others !== undefined && right;
}
