import { PostGrid } from '#web/features/blog/post-grid.tsx';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Frame, Section } from '#web/ui/layout.tsx';
import type { BlockProps } from '../registry.ts';

/** SPEC §1, §3: the newest posts of the blog or of a part of it, and the way to all of them. Empty, it is left out. */
export function BlogBlock({ block: { title, blog, posts } }: BlockProps<'blog'>) {
  const t = useT();
  if (posts.length === 0) return null;
  const { collectionType, collectionName } = blog;
  const href =
    collectionType === 'category'
      ? urls.blogCategory(collectionName)
      : collectionType === 'tag'
        ? urls.blogTag(collectionName)
        : urls.blog();
  return (
    <Frame>
      <Section
        title={title}
        more={
          <Link href={href} className="text-action" aria-label={title ? t('block.seeMoreOf', { name: title }) : undefined}>
            {t('block.seeMore')}
          </Link>
        }
      >
        <PostGrid posts={posts} {...(title ? {} : { as: 'h2' as const })} />
      </Section>
    </Frame>
  );
}
