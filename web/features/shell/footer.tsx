import type { AppContent } from '#contract/schemas/shop.ts';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Frame } from '#web/ui/layout.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { shopLinks } from './shop-links.ts';

/** The footer of every page. Its list of categories is also the menu for browsers without scripts. */
export function Footer({ content }: { content: AppContent }) {
  const t = useT();
  const { shopName, tagline, contactEmail, footer, menu, socialLinks } = content;
  // Leave out links that the merchant's own list already has.
  const ownLinks = shopLinks(content).filter(({ href }) => footer.links.every(({ link }) => link !== href));
  return (
    <footer className="site-footer print:hidden">
      <Frame className="grid grid-cols-[1fr_1fr] gap-x-8 gap-y-10 form:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="col-span-full form:col-auto">
          <p className="wordmark">{shopName}</p>
          <p className="mt-2">{tagline}</p>
          <p className="mt-4">
            <a href={`mailto:${contactEmail}`} className="underline">
              {contactEmail}
            </a>
          </p>
          <p className="mt-2 flex flex-wrap gap-x-4">
            <LanguageSwitch className="underline" />
          </p>
        </div>
        <nav aria-labelledby="footer-shop">
          <h2 id="footer-shop">{t('shell.footer.shop')}</h2>
          <ul>
            {menu.map(({ name, label }) => (
              <li key={name}>
                <Link href={urls.category(name)}>{label}</Link>
              </li>
            ))}
            {ownLinks.map(({ key, href }) => (
              <li key={key}>
                <Link href={href}>{t(key)}</Link>
              </li>
            ))}
          </ul>
        </nav>
        {footer.links.length > 0 && (
          <nav aria-labelledby="footer-help">
            <h2 id="footer-help">{t('shell.footer.about')}</h2>
            <ul>
              {footer.links.map(({ label, link }) => (
                <li key={link}>
                  <Link href={link}>{label}</Link>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <div>
          <h2>{t('shell.footer.follow')}</h2>
          <ul>
            {socialLinks.map(({ network, label, url }) => (
              <li key={network}>
                <a href={url} rel="noopener">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </div>
      </Frame>
      <Frame className="mt-12 flex flex-wrap justify-between gap-x-8 gap-y-2 text-ink-soft text-sm">
        {footer.notice && <p>{footer.notice}</p>}
        <p>{footer.copyright}</p>
      </Frame>
    </footer>
  );
}
