import { useSuspenseQuery } from '@tanstack/react-query';
import { LinkButton } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame } from '#ui/layout.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { shellQuery } from './queries.ts';

const fillCommand = 'npm run shop -- fill examples/river-cups/shop.json';
const guide = 'docs/how-to/fill-a-shop.md';

/** A shop without a page named home: its owner learns how to fill it, and a visitor can browse the categories. */
export function NoHomeScreen() {
  const t = useT();
  const { data: shop } = useSuspenseQuery(shellQuery(useApi()));
  if (shop.menu.length > 0) {
    return (
      <Frame>
        <EmptyState
          as="h1"
          title={shop.shopName}
          actions={shop.menu.map(({ name, label }) => (
            <LinkButton key={name} href={urls.category(name)} variant="secondary">
              {label}
            </LinkButton>
          ))}
        >
          {shop.tagline}
        </EmptyState>
      </Frame>
    );
  }
  return (
    <Frame>
      <EmptyState as="h1" title={t('shell.empty.title')}>
        <p>{t('shell.empty.text', { guide })}</p>
        <p className="mt-4">
          <code className="wrap-anywhere text-ink">{fillCommand}</code>
        </p>
      </EmptyState>
    </Frame>
  );
}
