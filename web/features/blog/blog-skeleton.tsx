import { limits } from '#contract/limits.ts';
import { Frame, Skeleton, SkeletonText } from '#ui/layout.tsx';
import { PostCardSkeleton, postCoverClass, postGridClass, postHeadClass } from './post-grid.tsx';

export function BlogSkeleton() {
  return (
    <Frame className="pt-4 pb-section">
      <SkeletonText lines={1} className="mt-6 max-w-96 text-2xl" />
      <SkeletonText lines={1} className="mt-3 max-w-prose" />
      <Skeleton className="mt-8 mb-8 h-12" />
      <ul className={postGridClass}>
        {Array.from({ length: limits.blogPageSize }, (_, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity and never change order
          <PostCardSkeleton key={place} />
        ))}
      </ul>
    </Frame>
  );
}

export function PostSkeleton() {
  return (
    <Frame className="pt-4 pb-section">
      <div className={postHeadClass}>
        <SkeletonText lines={1} className="max-w-32 text-sm" />
        <SkeletonText lines={2} className="mt-4 text-3xl" />
        <SkeletonText lines={2} className="mt-4 text-lg" />
      </div>
      <Skeleton className={postCoverClass} />
      <div className="article">
        <SkeletonText lines={6} />
      </div>
    </Frame>
  );
}
