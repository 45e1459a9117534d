import type { ReactNode } from 'react';
import type { AppContent } from '#contract/schemas/shop.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Frame } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { returnIcon } from '#ui/page-icons.ts';
import { urls } from '#web/lib/urls.ts';
import { LanguageSwitch, shopLinks } from './menu-bar.tsx';

const factIcons = { shipping: 'truck', stores: 'store', returns: returnIcon } as const;
const linkClass = 'inline-flex min-h-12 items-center hover:underline product:min-h-9';

/** The footer of every page. Its list of categories is also the menu for browsers without scripts. */
export function Footer({ content }: { content: AppContent }) {
  const t = useT();
  const { shopName, tagline, contactEmail, footer, menu, socialLinks } = content;
  const categories = footer.parts.includes('categories') ? menu : [];
  const ownLinks = shopLinks(footer);
  const hasAccount = footer.parts.includes('account');
  const plain = footer.links.filter(({ children }) => children.length === 0);
  const groups = footer.links.filter(({ children }) => children.length > 0);
  return (
    <footer className="site-footer print:hidden">
      <Frame className="grid gap-x-8 product:grid-cols-[2fr_1fr_1fr_1fr]">
        <Facts facts={content.facts} />
        <div className="pb-6">
          <p className="wordmark">{shopName}</p>
          <p className="mt-2">{tagline}</p>
          <p className="mt-4 flex flex-wrap gap-x-6">
            <a href={`mailto:${contactEmail}`} className={linkClass}>
              {contactEmail}
            </a>
            <LanguageSwitch className={linkClass} />
          </p>
        </div>
        {categories.length + ownLinks.length + Number(hasAccount) > 0 && (
          <Fold title={t('shell.footer.shop')}>
            {categories.map(({ name, label }) => (
              <FoldLink key={name} href={urls.category(name)}>
                {label}
              </FoldLink>
            ))}
            {ownLinks.map(({ key, href }) => (
              <FoldLink key={key} href={href}>
                {t(key)}
              </FoldLink>
            ))}
            {hasAccount && <FoldLink href={urls.account()}>{t('shell.account')}</FoldLink>}
          </Fold>
        )}
        {groups.map((group) => (
          <Fold key={`${group.link} ${group.label}`} title={group.label}>
            {[group, ...group.children].map(({ label, link }) => (
              <FoldLink key={`${link} ${label}`} href={link}>
                {label}
              </FoldLink>
            ))}
          </Fold>
        ))}
        {plain.length > 0 && (
          <Fold title={t('shell.footer.about')}>
            {plain.map(({ label, link }) => (
              <FoldLink key={link} href={link}>
                {label}
              </FoldLink>
            ))}
          </Fold>
        )}
        {socialLinks.length > 0 && (
          <Fold title={t('shell.footer.follow')}>
            {socialLinks.map(({ network, label, url }) => (
              <FoldLink key={network} href={url}>
                {label}
              </FoldLink>
            ))}
          </Fold>
        )}
      </Frame>
      <Frame className="mt-8 flex flex-wrap justify-between gap-x-8 gap-y-2 text-ink-soft text-sm">
        {footer.notice && <p>{footer.notice}</p>}
        <p>{footer.copyright}</p>
      </Frame>
    </footer>
  );
}

function Facts({ facts }: Pick<AppContent, 'facts'>) {
  if (facts.length === 0) return null;
  return (
    <ul className="col-span-full mb-8 flex flex-col gap-x-12 border-line border-b pb-6 product:flex-row">
      {facts.map(({ kind, text, link }) => (
        <li key={kind} className="flex items-center gap-3">
          <Icon name={factIcons[kind]} size={20} />
          {link ? (
            <Link href={link} className={linkClass}>
              {text}
            </Link>
          ) : (
            <span className={linkClass}>{text}</span>
          )}
        </li>
      ))}
    </ul>
  );
}

function Fold({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title}>
      <h2 className="max-product:hidden">{title}</h2>
      <Accordion summary={title} unfoldFrom="product" className="product:border-0 product:[&>div]:p-0">
        <ul>{children}</ul>
      </Accordion>
    </nav>
  );
}

function FoldLink({ href, children }: { href: string; children: string }) {
  return (
    <li>
      <Link href={href} className={linkClass}>
        {children}
      </Link>
    </li>
  );
}
