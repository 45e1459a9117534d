import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import { LinkButton } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { commonSearchesQuery, facetsQuery } from './queries.ts';
import { childrenOf } from './source.ts';

/**
 * For pages without results. In columns, and in a row of their own: what wraps by the width of its text changes rows when the web
 * font replaces the system's.
 */
export function CommonSearches() {
  const t = useT();
  const { data } = useQuery(commonSearchesQuery(useApi()));
  if (!data?.searches.length) return <CategoryLinks />;
  return (
    <nav aria-label={t('search.common')} className="mb-2 w-full">
      <ul className="mx-auto grid max-w-md grid-cols-3 gap-3">
        {data.searches.map((text) => (
          <li key={text}>
            <Link href={urls.search(text)} className="chip">
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function CategoryLinks() {
  const locale = useLocale();
  const { data } = useQuery(facetsQuery(useApi(), {}));
  const categories = childrenOf(data?.categories ?? [], undefined);
  if (categories.length === 0) return null;
  return (
    <div className="w-full">
      <div className="mx-auto flex max-w-md flex-wrap justify-center gap-3 *:w-27">
        {categories.map(({ name, nameContent }) => (
          <LinkButton key={name} variant="secondary" size="small" className="px-2" href={urls.category(name)}>
            {inLocale(nameContent, locale)}
          </LinkButton>
        ))}
      </div>
    </div>
  );
}
