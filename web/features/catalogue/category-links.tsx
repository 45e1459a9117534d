import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import { useLocale } from '#ui/i18n.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { urls } from '#web/lib/urls.ts';
import { childrenOf } from './category-tree.ts';
import { facetsQuery } from './queries.ts';

/**
 * Links to the top categories, all of one width, at most three in a row: buttons that wrap by the width of their text change rows
 * when the web font replaces the system's.
 */
export function CategoryLinks() {
  const locale = useLocale();
  const { data } = useQuery(facetsQuery(useApi(), {}));
  const categories = childrenOf(data?.categories ?? [], undefined);
  if (categories.length === 0) return null;
  return (
    <div className="mx-auto flex max-w-md flex-wrap justify-center gap-3 *:w-27">
      {categories.map(({ name, nameContent }) => (
        <LinkButton key={name} variant="secondary" size="small" className="px-2" href={urls.category(name)}>
          {inLocale(nameContent, locale)}
        </LinkButton>
      ))}
    </div>
  );
}
