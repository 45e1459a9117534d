import { useQuery } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { storesQuery, useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { LanguageSwitch } from './menu-bar.tsx';
import { Wordmark } from './wordmark.tsx';

/** It takes its own space and does not stick. */
const headerClass =
  'border-line border-b bg-paper print:border-0 [:root:has(&)]:[--header-height:0px]! [:root:has(&)]:[--sticky-top:0px]!';

/** The header of checkout, payment and a table's menu: the shop, and the way back to the cart. Nothing else leads away. */
export function CheckoutHeader({ content }: { content: AppContent }) {
  const t = useT();
  const atTable = useRouterState({
    select: ({ matches }) => matches.some(({ routeId }) => routeId === '/table/$menu'),
  });
  return (
    <header className={headerClass}>
      <Frame className="flex h-16 items-center justify-between gap-6">
        <Wordmark content={content} />
        {atTable ? (
          <LanguageSwitch className="inline-flex min-h-11 items-center hover:underline" />
        ) : (
          <Link href={urls.cart()} className="link inline-flex min-h-11 items-center print:hidden">
            {t('checkout.back')}
          </Link>
        )}
      </Frame>
    </header>
  );
}

/** The last links of the shop's footer, where shops have their terms: a customer who is paying looks for these, and leaves for the others. */
const mostLinks = 4;

export function CheckoutFooter({ content }: { content: AppContent }) {
  const { contactEmail, footer } = content;
  // The form has loaded the stores; nothing is requested for this line.
  const stores = useQuery({ ...storesQuery(useApi()), enabled: false });
  const phone = stores.data?.find(({ mainStore }) => mainStore)?.phone;
  const linkClass = 'inline-flex min-h-11 items-center hover:underline';
  return (
    <footer className="border-line border-t print:hidden">
      <Frame className="flex flex-wrap gap-x-6 py-3 text-ink-soft text-sm">
        <a href={`mailto:${contactEmail}`} className={linkClass}>
          {contactEmail}
        </a>
        {phone && (
          <a href={`tel:${phone.replace(/[^+\d]/g, '')}`} className={linkClass}>
            {phone}
          </a>
        )}
        {footer.links.slice(-mostLinks).map(({ label, link }) => (
          <Link key={link} href={link} className={linkClass}>
            {label}
          </Link>
        ))}
        <LanguageSwitch className={linkClass} />
      </Frame>
    </footer>
  );
}
