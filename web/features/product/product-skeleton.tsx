import { Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';

/** Placeholders for a product page, in its final shape. */
export function ProductSkeleton() {
  return (
    <Frame className="pt-4">
      <SkeletonText lines={1} className="max-w-56 text-sm" />
      <div className="product-top">
        <div className="gallery">
          <Skeleton className="aspect-square" />
        </div>
        <div className="product-buy">
          <SkeletonText lines={1} className="max-w-24 text-sm" />
          <SkeletonText lines={1} className="max-w-80 text-2xl" />
          <SkeletonText lines={1} className="max-w-24 text-xl" />
          <Skeleton className="h-12" />
          <SkeletonText lines={4} />
        </div>
      </div>
    </Frame>
  );
}
