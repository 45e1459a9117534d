import { Section } from '#ui/layout.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { PostGrid } from '#web/features/blog/post-grid.tsx';
import { urls } from '#web/lib/urls.ts';
import { SeeMore } from '#web/ui/product-grid.tsx';

/** SPEC §1, §3: the newest posts of the blog or of a part of it, with a link to all of them. Hidden if there are none. */
export function BlogBlock({ block: { title, blog, posts, layout } }: BlockProps<'blog'>) {
  if (posts.length === 0) return null;
  const { collectionType, collectionName } = blog;
  const href =
    collectionType === 'category'
      ? urls.blogCategory(collectionName)
      : collectionType === 'tag'
        ? urls.blogTag(collectionName)
        : urls.blog();
  return (
    <BlockFrame>
      <Section title={title} more={<SeeMore href={href} title={title} />}>
        <PostGrid posts={posts} lead={layout === 'lead'} {...(title ? {} : { as: 'h2' as const })} />
      </Section>
    </BlockFrame>
  );
}
