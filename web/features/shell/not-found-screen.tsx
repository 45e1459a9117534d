import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { EmptyState } from '#ui/empty-state.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { urls } from '#web/lib/urls.ts';
import { shellQuery } from './queries.ts';
import { SearchBox } from './search-box.tsx';

/** Shown for a page that does not exist, with a search and links to categories. */
export function NotFoundScreen() {
  const t = useT();
  const { data } = useQuery(shellQuery(useApi()));
  const input = useRef<HTMLInputElement>(null);
  return (
    <Frame>
      <EmptyState
        as="h1"
        title={t('shell.notFound.title')}
        actions={
          <div className="mx-auto flex max-w-md flex-wrap justify-center gap-3 *:w-27">
            {data?.menu.map(({ name, label }) => (
              <LinkButton key={name} href={urls.category(name)} variant="secondary" size="small" className="px-2">
                {label}
              </LinkButton>
            ))}
          </div>
        }
      >
        <p>{t('shell.notFound.text')}</p>
        <div className="mt-6 text-ink">
          <SearchBox input={input} />
        </div>
      </EmptyState>
    </Frame>
  );
}
