import { Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { ProductGridSkeleton } from '#web/ui/product-grid.tsx';

/** Placeholders for a list page: heading, bar and cards in their final places. */
export function ListSkeleton() {
  return (
    <Frame className="pt-4 pb-section">
      <SkeletonText lines={1} className="max-w-48 text-sm" />
      <SkeletonText lines={1} className="mt-4 max-w-72 text-2xl" />
      <SkeletonText lines={1} className="mt-3 max-w-prose" />
      <Skeleton className="mt-8 mb-8 h-14" />
      <ProductGridSkeleton />
    </Frame>
  );
}
