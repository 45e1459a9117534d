import { useQuery } from '@tanstack/react-query';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { AppContent } from '#contract/schemas/shop.ts';
import { Accordion } from '#ui/accordion.tsx';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api.ts';
import { Picture } from '#web/ui/picture.tsx';
import { AccountLink, LanguageSwitch, menuEntries, shopLinks } from './menu-bar.tsx';
import { topCategoriesQuery } from './queries.ts';

const linkClass = 'flex min-h-14 items-center border-line border-b font-serif text-lg';
const childClass = 'block py-2';

export function DrawerMenu({ content, signedIn }: { content: AppContent; signedIn: boolean | undefined }) {
  const t = useT();
  const { data: categories } = useQuery(topCategoriesQuery(useApi()));
  const images = categories && new Map(categories.map(({ categoryName, image }) => [categoryName, image]));
  return (
    <nav aria-label={t('shell.menu.drawer')} className="flex flex-col">
      {menuEntries(content).map(({ key, label, href, category, picture, children }) =>
        children.length === 0 ? (
          <Link key={key} href={href} className={linkClass} anySearch>
            <Named label={label} category={category} images={images} />
          </Link>
        ) : (
          <Accordion
            key={key}
            summary={<Named label={label} category={category} picture={picture} images={images} />}
            className="[&>summary]:font-normal [&>summary]:font-serif [&>summary]:text-lg"
          >
            <ul>
              <li>
                <Link href={href} className={childClass} anySearch>
                  {category ? t('shell.menu.all', { name: label }) : label}
                </Link>
              </li>
              {children.map((child) => (
                <li key={`${child.href} ${child.label}`}>
                  <Link href={child.href} className={childClass} anySearch>
                    {child.label}
                  </Link>
                </li>
              ))}
            </ul>
          </Accordion>
        ),
      )}
      {shopLinks(content.header).map(({ key, href }) => (
        <Link key={key} href={href} className={linkClass} anySearch>
          {t(key)}
        </Link>
      ))}
      {content.header.parts.includes('account') && (
        <AccountLink signedIn={signedIn} className={linkClass} inWords />
      )}
      <p className="mt-2 flex min-h-14 items-center gap-3">
        <Icon name="globe" size={20} />
        <LanguageSwitch />
      </p>
    </nav>
  );
}

interface NamedProps {
  label: string;
  category: string | undefined;
  picture?: ImageInfo | undefined;
  images: ReadonlyMap<string, ImageInfo | null> | undefined;
}

/** A category has its picture, or the place of one; another group has one if it was given one. */
function Named({ label, category, picture, images }: NamedProps) {
  if (category === undefined && !picture) return label;
  const image = picture ?? images?.get(category ?? '');
  return (
    <span className="flex items-center gap-4 py-1.5">
      <span className="size-14 flex-none overflow-hidden rounded-full bg-surface-inset">
        {image && <Picture image={image} alt="" shape="square" sizes="56px" />}
      </span>
      {label}
    </span>
  );
}
