import { useQuery } from '@tanstack/react-query';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { urls } from '#web/lib/urls.ts';
import { CategoryLinks } from './category-links.tsx';
import { commonSearchesQuery } from './queries.ts';

/**
 * The merchant's common searches, for pages without results; categories in a shop that names none. In columns: chips that wrap by
 * the width of their text change rows when the web font replaces the system's.
 */
export function CommonSearches() {
  const t = useT();
  const { data } = useQuery(commonSearchesQuery(useApi()));
  if (!data?.searches.length) return <CategoryLinks />;
  return (
    <nav aria-label={t('search.common')} className="mb-2 w-full max-w-md">
      <ul className="grid grid-cols-3 gap-3">
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
