import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useHydrated } from '@tanstack/react-router';
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { ArticlePart, BlogLikes, BlogPost, BlogPostSummary } from '#contract/schemas/blog.ts';
import type { ProductSummary } from '#contract/schemas/catalogue.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button, ButtonLabel, buttonClass, LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { fieldLabelClass } from '#ui/field.tsx';
import { formatNumber } from '#ui/format.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';
import { Breadcrumbs, type Crumb, Frame, Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { announce } from '#ui/page.tsx';
import { heartIcon, shareIcon } from '#ui/page-icons.ts';
import { useApi } from '#web/lib/api.ts';
import { CardAction } from '#web/lib/card-action.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture, pageSizes } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { RichText } from '#web/ui/rich-text.tsx';
import { PostGrid, PostMeta, postCoverClass, postHeadClass } from './post-grid.tsx';
import { likesQuery } from './queries.ts';

const filledClass =
  'absolute inset-0 fill-current text-action transition-[clip-path] duration-180 [clip-path:circle(0)] group-aria-pressed:[clip-path:circle(75%)]';
const pressedClass = 'group aria-pressed:border-action aria-pressed:bg-action-tint';

const neighbourClass =
  'group/neighbour flex flex-col gap-1 py-6 not-first:border-line not-first:border-t product:not-first:border-t-0';
const neighbourTitleClass =
  'font-serif text-lg/(--text-base--line-height) group-hover/neighbour:underline group-hover/neighbour:decoration-1';
const coverSizes = pageSizes(1, '92vw');

export function PostScreen({
  post,
  crumbs,
  products,
}: {
  post: BlogPost;
  crumbs: Crumb[];
  products: ReactNode;
}) {
  const t = useT();
  const { title, excerpt, image, author, blogPage, related } = post;
  return (
    <Frame className="pt-4 pb-section">
      <Breadcrumbs items={crumbs} />
      <article>
        <header className={postHeadClass}>
          <h1 className="text-3xl" tabIndex={-1}>
            {title}
          </h1>
          <p className="mt-5 text-balance text-ink-soft text-lg">{excerpt}</p>
          <p className="mt-6 text-balance text-sm">
            {author && (
              <>
                <span className="font-semibold">{t('blog.by', { name: author.name })}</span>
                {author.role && <span className="text-ink-soft"> · {author.role}</span>}
                <br />
              </>
            )}
            <span className="text-ink-soft">
              <PostMeta post={post} />
            </span>
          </p>
        </header>
        {image && (
          <div className={cx(postCoverClass, 'carried')}>
            <Picture image={image} alt="" sizes={coverSizes} priority className="h-full" />
          </div>
        )}
        <Article parts={blogPage.parts} />
        <footer className="mx-auto mt-14 flex max-w-text flex-col gap-8">
          <PostTags post={post} />
          <div className="flex flex-wrap gap-3">
            <LikeButton post={post} />
            <ShareButton title={title} text={excerpt} />
          </div>
        </footer>
      </article>
      {products}
      <Neighbours post={post} />
      {related.length > 0 && (
        <Section title={t('blog.related')}>
          <PostGrid posts={related} />
        </Section>
      )}
    </Frame>
  );
}

function PostTags({ post: { tags } }: { post: BlogPost }) {
  const t = useT();
  const locale = useLocale();
  if (tags.length === 0) return null;
  return (
    <nav aria-label={t('blog.tags')}>
      <ul className="flex flex-wrap gap-2">
        {tags.map(({ name, nameContent }) => (
          <li key={name}>
            <Link href={urls.blogTag(name)} className="chip">
              {inLocale(nameContent, locale)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Neighbours({ post: { previous, next } }: { post: BlogPost }) {
  const t = useT();
  if (!previous && !next) return null;
  return (
    <nav
      aria-label={t('blog.neighbours')}
      className="mt-16 grid border-line border-y product:grid-cols-[1fr_1fr] product:gap-x-12"
    >
      {previous && (
        <Link href={urls.blogPost(previous.link)} rel="prev" className={neighbourClass}>
          <span className="text-ink-soft text-sm">{t('blog.previous')}</span>
          <span className={neighbourTitleClass}>{previous.title}</span>
        </Link>
      )}
      {next && (
        <Link
          href={urls.blogPost(next.link)}
          rel="next"
          className={cx(neighbourClass, 'product:col-start-2 product:text-end')}
        >
          <span className="text-ink-soft text-sm">{t('blog.next')}</span>
          <span className={neighbourTitleClass}>{next.title}</span>
        </Link>
      )}
    </nav>
  );
}

/** Milliseconds for which the button confirms that the link was copied. */
const saidMs = 4000;

type State = 'idle' | 'copied' | 'byHand';

/** Shares a page with the device's own dialog; otherwise copies its link; otherwise shows it for copying by hand. */
function ShareButton({ title, text }: { title: string; text: string }) {
  const t = useT();
  const [state, setState] = useState<State>('idle');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (state === 'byHand') field.current?.select();
    if (state !== 'copied') return;
    const timer = setTimeout(() => setState('idle'), saidMs);
    return () => clearTimeout(timer);
  }, [state]);

  const share = async () => {
    const url = location.origin + location.pathname;
    if (typeof navigator.share === 'function') {
      const shared = await navigator.share({ title, text, url }).then(() => true, isOver);
      if (shared) return;
    }
    try {
      await navigator.clipboard.writeText(url);
      setState('copied');
      announce(t('blog.share.copied'));
    } catch {
      // Without TLS, or if the browser denies access to the clipboard.
      setState('byHand');
    }
  };

  return (
    <>
      <Button
        variant="secondary"
        icon={state === 'copied' ? 'check' : shareIcon}
        onClick={() => void share()}
      >
        {t(state === 'copied' ? 'blog.share.copied' : 'blog.share')}
      </Button>
      {state === 'byHand' && (
        <label className="flex min-w-0 basis-full flex-col gap-1.5">
          <span className={fieldLabelClass}>{t('blog.share.copy')}</span>
          <input ref={field} className="input" readOnly value={location.origin + location.pathname} />
        </label>
      )}
    </>
  );
}

/** A visitor who closes the device's dialog does not get another one. */
function isOver(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** SPEC §5, §6: likes a post or removes the like. A visitor who may not like sees the count only. */
function LikeButton({ post }: { post: BlogPostSummary }) {
  const t = useT();
  const locale = useLocale();
  const { likes, liked, allowed, failed, toggle } = useLikes(post);
  if (allowed === 'no') {
    return (
      <p className="inline-flex min-h-12 items-center gap-2 text-ink-soft">
        <Icon name={heartIcon} size={20} />
        {t('blog.likes', { count: likes })}
      </p>
    );
  }
  if (allowed === 'signIn') {
    return (
      <LinkButton icon={heartIcon} variant="secondary" href={urls.login(urls.blogPost(post.link))}>
        {t('blog.like.signIn')} <span className="tabular-nums">{formatNumber(likes, locale)}</span>
      </LinkButton>
    );
  }
  return (
    <>
      <button
        type="button"
        aria-pressed={liked}
        onClick={toggle}
        className={buttonClass({ variant: 'secondary', className: pressedClass })}
      >
        <ButtonLabel>
          <span className="relative">
            <Icon name={heartIcon} size={20} />
            <Icon name={heartIcon} size={20} className={filledClass} />
          </span>
          {t('blog.like')} <span className="tabular-nums">{formatNumber(likes, locale)}</span>
        </ButtonLabel>
      </button>
      {failed && <p className="basis-full text-clay text-sm">{t('blog.like.failed')}</p>}
    </>
  );
}

interface Likes extends BlogLikes {
  failed: boolean;
  toggle: () => void;
}

/** The last press for each post, by its id. */
const lastPresses = new Map<string, Promise<void>>();

/** The likes as in the page, then current. A press shows at once and is reverted if rejected; several reach the shop in order. */
function useLikes(post: BlogPostSummary): Likes {
  const t = useT();
  const api = useApi();
  const client = useQueryClient();
  const which = { storeBlogId: post.associatedStoreBlog.id, storeBlogPostId: post.id };
  const query = likesQuery(api, which);
  const [failed, setFailed] = useState(false);
  const hydrated = useHydrated();
  const { data } = useQuery(query);
  // The server's page is the same for everybody, so during hydration the visitor likes nothing.
  const known: BlogLikes = (hydrated ? data : undefined) ?? {
    likes: post.likes,
    liked: false,
    allowed: 'yes',
  };

  const send = (like: boolean) => {
    const before = lastPresses.get(post.id) ?? Promise.resolve();
    const press: Promise<void> = before.then(async () => {
      try {
        const answer = await api.call('likeBlogPost', {
          params: { ...which, like: like ? 'true' : 'false' },
        });
        // A later press that is still pending already shows its result.
        if (lastPresses.get(post.id) === press) client.setQueryData(query.queryKey, answer);
      } catch {
        setFailed(true);
        announce(t('blog.like.failed'), 'assertive');
        await client.invalidateQueries({ queryKey: query.queryKey });
      }
    });
    lastPresses.set(post.id, press);
  };

  return {
    ...known,
    failed,
    toggle() {
      const liked = !known.liked;
      const likes = Math.max(0, known.likes + (liked ? 1 : -1));
      setFailed(false);
      void client.cancelQueries({ queryKey: query.queryKey });
      client.setQueryData(query.queryKey, { ...known, liked, likes });
      announce(t(liked ? 'blog.liked' : 'blog.unliked', { count: likes }));
      send(liked);
    },
  };
}

function Article({ parts }: { parts: readonly ArticlePart[] }) {
  return (
    <div className="article">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an article have no identity and never change order
        <Part key={index} part={part} />
      ))}
    </div>
  );
}

const pictureSizes = '(min-width: 60rem) 800px, 92vw';
/** Wide images extend beyond the text if there is room. */
const wideClass = 'menu:-mx-24';
const captionClass = 'mt-3 text-[length:var(--text-sm)] text-ink-soft';
const quoteClass = 'text-pretty font-serif text-xl/[1.4] zh:break-keep zh:leading-[1.6]';

function Part({ part }: { part: ArticlePart }) {
  switch (part.type) {
    case 'paragraph':
      return <p>{part.text}</p>;
    case 'heading':
      return part.level === 2 ? <h2>{part.text}</h2> : <h3>{part.text}</h3>;
    case 'image':
      return (
        <figure className={cx('my-12', isWide(part.image) && wideClass)}>
          <Picture image={part.image} alt={part.alt} sizes={pictureSizes} className="max-h-192" />
          {part.caption && <figcaption className={captionClass}>{part.caption}</figcaption>}
        </figure>
      );
    case 'list': {
      const List = part.ordered ? 'ol' : 'ul';
      return (
        <List className={cx('pl-[1.5em]', part.ordered ? 'list-decimal' : 'list-disc')}>
          {part.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: as above
            <li key={index}>{item}</li>
          ))}
        </List>
      );
    }
    case 'quote':
      return (
        <figure className="my-12 border-action border-l-2 pl-6">
          <blockquote className={quoteClass}>
            <p>{part.text}</p>
          </blockquote>
          {part.source && <figcaption className={captionClass}>{part.source}</figcaption>}
        </figure>
      );
    case 'html':
      return <RichText html={part.html} />;
    case 'product':
      return <ProductPart product={part.product} />;
  }
}

/** Landscape images are wider than the text; others would fill the screen. */
function isWide({ width, height }: ImageInfo): boolean {
  return width / height >= 1.3;
}

const boxClass =
  'my-8 grid grid-cols-[6rem_minmax(0,1fr)] items-center gap-4 product:grid-cols-[6rem_minmax(0,1fr)_auto]';

function ProductPart({ product }: { product: ProductSummary }) {
  const { nameContent, fact, mediaInfo, priceInfo } = product;
  const [image] = mediaInfo.imageInfos;
  return (
    <div className={`${boxClass} rounded-lg bg-surface-inset p-4`}>
      {image ? <Picture image={image} shape="square" sizes="6rem" alt="" /> : <span />}
      <div className="leading-normal">
        <p className="font-semibold">
          <Link href={urls.product(product.id)} className="hover:underline">
            {inLocale(nameContent, useLocale())}
          </Link>
        </p>
        {fact && <p className="text-ink-soft text-sm">{fact}</p>}
        <p>
          <Price priceInfo={priceInfo} />
        </p>
      </div>
      <div className="max-product:col-start-2">
        <Way product={product} />
      </div>
    </div>
  );
}

function Way({ product }: { product: ProductSummary }) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const Action = useContext(CardAction);
  const [ready, setReady] = useState(false);
  useEffect(() => {
    // If it fails to load, the link stays.
    Action?.preload().then(
      () => setReady(true),
      () => {},
    );
  }, [Action]);
  if (product.inventory.quantity === 0) return <p className="text-ink-soft text-sm">{t('card.soldOut')}</p>;
  if (product.inStoreOnly) return <p className="whitespace-pre-line text-ink-soft text-sm">{product.note}</p>;
  if (product.sku && Action && ready)
    return <Action product={product} sku={product.sku} text={t('blog.product.add')} />;
  return (
    <LinkButton
      href={urls.product(product.id)}
      variant="secondary"
      size="small"
      {...(product.sku ? { 'aria-label': t('quickAdd.add', { name }) } : {})}
    >
      {t(product.sku ? 'blog.product.add' : 'blog.product.options')}
    </LinkButton>
  );
}
