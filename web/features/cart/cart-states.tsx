import { Button } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { useT } from '#ui/i18n.tsx';
import { Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { urls } from '#web/lib/urls.ts';

/** The empty cart, with links to continue. As `h1` it is the whole page. */
export function NothingInCart({ as = 'h2' }: { as?: 'h1' | 'h2' }) {
  const t = useT();
  return (
    <EmptyState
      as={as}
      icon="bag"
      title={t('cart.empty.title')}
      actions={
        <>
          <LinkButton href={urls.productList()}>{t('cart.empty.action')}</LinkButton>
          <LinkButton href={urls.clearance()} variant="secondary">
            {t('cart.empty.clearance')}
          </LinkButton>
        </>
      }
    >
      <p>{t('cart.empty.text')}</p>
    </EmptyState>
  );
}

export function CartError({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <Frame className="min-h-dvh">
      <EmptyState
        as="h1"
        icon="offline"
        title={t('cart.error.title')}
        actions={<Button onClick={onRetry}>{t('cart.error.retry')}</Button>}
      >
        <p>{t('cart.error.text')}</p>
      </EmptyState>
    </Frame>
  );
}

/** Placeholders for two lines and a bill. */
export function CartSkeleton() {
  return (
    <div className="grid gap-x-16 gap-y-10 menu:grid-cols-[minmax(0,1fr)_24rem]" role="status" aria-label={useT()('ui.loading')}>
      <div className="divide-y divide-line border-line border-y">
        {['first', 'second'].map((line) => (
          <div key={line} className="grid grid-cols-[5.5rem_1fr] gap-x-4 py-6 product:grid-cols-[8rem_1fr] product:gap-x-6">
            <Skeleton className="aspect-square" />
            <div className="flex flex-col gap-3">
              <SkeletonText lines={3} className="max-w-60" />
              <Skeleton className="h-12 w-36 rounded-full" />
            </div>
          </div>
        ))}
      </div>
      <div className="rounded-lg bg-surface-inset p-6 menu:p-8">
        <SkeletonText lines={5} />
      </div>
    </div>
  );
}
