import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { limits } from '#contract/limits.ts';
import { inLocale, localizePath } from '#contract/locales.ts';
import type { Blog, BlogPostList, BlogPostSummary } from '#contract/schemas/blog.ts';
import { LinkButton } from '#ui/button.tsx';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Breadcrumbs, Frame, PageHeading } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { useApi } from '#web/lib/api.ts';
import { usePaged } from '#web/lib/paged.ts';
import { urls } from '#web/lib/urls.ts';
import { PagedList, scrollRowClass } from '#web/ui/paged-list.tsx';
import { PostCard, PostCardSkeleton, ReturningPosts } from './post-grid.tsx';
import { blogTagsQuery, type PostFilter, postListQuery } from './queries.ts';

interface BlogScreenProps {
  blog: Blog;
  filter: PostFilter;
  page: number | undefined;
  title: string;
  lead?: ReactNode;
}

export function BlogScreen({ blog, filter, page, title, lead }: BlogScreenProps) {
  const t = useT();
  const locale = useLocale();
  const api = useApi();
  const { categoryName, tagName } = filter;
  const narrowed = categoryName !== undefined || tagName !== undefined;
  const query = useInfiniteQuery(postListQuery(api, blog.id, filter, page ?? 1));
  const count = query.data?.pages.at(-1)?.count ?? -1;
  const list = usePaged(query, { pageSize: limits.blogPageSize, count, itemsOf, idOf });
  const addressOf = useCallback(
    (to: number) => blogUrl({ categoryName, tagName }, to),
    [categoryName, tagName],
  );
  return (
    <Frame className="pt-4 pb-section">
      {narrowed && (
        <Breadcrumbs
          items={[{ label: inLocale(blog.nameContent, locale), href: urls.blog() }, { label: title }]}
        />
      )}
      <PageHeading lead={lead} aside={count > 0 ? t('blog.count', { count }) : undefined} className="py-6!">
        {title}
      </PageHeading>
      <Categories blog={blog} filter={filter} />
      <div className="mt-8">
        <h2 className="sr-only">{t('blog.posts')}</h2>
        {list.isEmpty ? (
          <EmptyPosts narrowed={narrowed} />
        ) : (
          <PagedList
            list={list}
            pageSize={limits.blogPageSize}
            page={page ?? 1}
            addressOf={addressOf}
            idOf={idOf}
            grid={ReturningPosts}
            place={PostCardSkeleton}
            item={(post, { page: at, index }) => (
              <PostCard
                post={post}
                leading={isLeading(list.pages[at]?.number, index)}
                priority={at === 0 && index === 0}
              />
            )}
            itemClass={({ number, index }) => (isLeading(number, index) ? 'col-span-full' : undefined)}
            words={{
              previous: t('blog.newer'),
              showing:
                count < 0
                  ? t('blog.showing', { ...list.shown })
                  : t('blog.showingOf', { ...list.shown, count }),
              loadFailed: t('blog.loadFailed'),
            }}
          />
        )}
      </div>
      <Tags blog={blog} />
    </Frame>
  );
}

function isLeading(page: number | undefined, index: number): boolean {
  return page === 1 && index === 0;
}

function blogUrl({ categoryName, tagName }: PostFilter, page: number): string {
  if (categoryName !== undefined) return urls.blogCategory(categoryName, page);
  return tagName === undefined ? urls.blog(page) : urls.blogTag(tagName, page);
}

function Categories({ blog, filter }: { blog: Blog; filter: PostFilter }) {
  const t = useT();
  const locale = useLocale();
  const filled = blog.categories.filter(({ count }) => count > 0);
  if (filled.length === 0) return null;
  return (
    <nav aria-label={t('blog.categories')}>
      <ul className={scrollRowClass}>
        <li>
          <CategoryChip
            href={urls.blog()}
            count={blog.count}
            current={Object.values(filter).every((name) => name === undefined)}
          >
            {t('blog.categories.all')}
          </CategoryChip>
        </li>
        {filled.map(({ blogCategoryName, nameContent, count }) => (
          <li key={blogCategoryName}>
            <CategoryChip
              href={urls.blogCategory(blogCategoryName)}
              count={count}
              current={filter.categoryName === blogCategoryName}
            >
              {inLocale(nameContent, locale)}
            </CategoryChip>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function CategoryChip({
  href,
  count,
  current,
  children,
}: {
  href: string;
  count: number;
  current: boolean;
  children: string;
}) {
  return (
    <Link href={href} className="chip" aria-current={current ? 'page' : undefined}>
      {children}
      <span className="text-ink-soft text-sm tabular-nums">{count}</span>
    </Link>
  );
}

/** At the end of the list: other ways to find posts, and the feed for feed readers. */
function Tags({ blog }: { blog: Blog }) {
  const t = useT();
  const locale = useLocale();
  const { data: tags = [] } = useQuery(blogTagsQuery(useApi(), blog.id));
  return (
    <div className="mt-16 border-line border-t pt-8">
      {tags.length > 0 && (
        <nav aria-labelledby="blog-tags">
          <h2 id="blog-tags">{t('blog.tags')}</h2>
          <ul className="mt-4 flex flex-wrap gap-x-6 gap-y-2">
            {tags.map(({ name, nameContent, count }) => (
              <li key={name}>
                <Link href={urls.blogTag(name)} className="inline-block py-1 no-underline hover:underline">
                  {inLocale(nameContent, locale)}{' '}
                  <span className="text-ink-soft text-sm tabular-nums">{count}</span>
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <p className="mt-6">
        {/* A file for another program, which the router does not handle. */}
        <a
          href={localizePath(urls.blogFeed('rss'), locale)}
          className="inline-block py-1 text-action"
          type="application/rss+xml"
        >
          {t('blog.feed')}
        </a>
      </p>
    </div>
  );
}

function EmptyPosts({ narrowed }: { narrowed: boolean }) {
  const t = useT();
  const [href, label] = narrowed
    ? [urls.blog(), t('blog.empty.all')]
    : [urls.productList(), t('list.empty.all')];
  return (
    <EmptyState title={t('blog.empty')} actions={<LinkButton href={href}>{label}</LinkButton>}>
      {t('blog.empty.text')}
    </EmptyState>
  );
}

function itemsOf({ posts }: BlogPostList): BlogPostSummary[] {
  return posts;
}

function idOf({ id }: BlogPostSummary): string {
  return id;
}
