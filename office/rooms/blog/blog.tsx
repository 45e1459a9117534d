/** The posts of the blog: what readers see, and what is only written yet. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { inLocale, isLocale, locales } from '#contract/locales.ts';
import type { PostList } from '#contract/staff/posts.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { Icon } from '#ui/icon.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useOnce } from '../../lib/api.ts';
import { LoadingRows } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { NameFields, newName, noName } from '../../lib/new-name.tsx';
import { PublicationState } from '../../lib/publication.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { isoIn } from '../../lib/shop-time.ts';
import { TextLink } from '../../lib/text-link.tsx';
import { postsQuery } from '../../lib/whole-lists.ts';

export default function Blog() {
  const { t, locale, call } = useOffice();
  const adding = useAdding();
  const { data, error } = useQuery(postsQuery(call, locale));
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.blog')}</h1>
        <AddButton adding={adding} />
      </header>
      <p className="text-ink-soft">{t('office.blog.why')}</p>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data?.blogs.map(({ id, name }) => (
        <TextLink key={id} href={`/office/blog/settings/${id}`}>
          {data.blogs.length > 1 ? `${inLocale(name, locale)}: ` : ''}
          {t('office.blog.settings')}
        </TextLink>
      ))}
      {data?.posts.length === 0 && <p className="text-ink-soft">{t('office.blog.none')}</p>}
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {data?.posts.map((post) => (
          <PostRow key={post.id} post={post} blogs={data.blogs} />
        ))}
      </ul>
      {adding.isOpen && <AddPost onClose={adding.close} />}
    </div>
  );
}

function PostRow({ post, blogs }: { post: PostList['posts'][number]; blogs: PostList['blogs'] }) {
  const { t, locale, shop } = useOffice();
  const { id, blogId, link, title, author, category, tags, publishedAt, missing, publication } = post;
  const blog = blogs.find((each) => each.id === blogId);
  const by = inLocale(author, locale);
  const topics = [
    ...(blog?.categories.filter(({ name }) => name === category) ?? []),
    ...(blog?.tags.filter(({ name }) => tags.includes(name)) ?? []),
  ].map(({ nameContent }) => inLocale(nameContent, locale));
  const facts = [
    ...(publishedAt === null
      ? []
      : [t('office.blog.dated', { day: isoIn(shop.timeZone, publishedAt).slice(0, 10) })]),
    ...(by === '' ? [] : [t('office.blog.by', { name: by })]),
    ...topics,
  ];
  return (
    <li>
      <Link
        href={`/office/blog/${encodeURIComponent(id)}`}
        className="flex min-h-16 items-center gap-4 py-3 hover:bg-raised"
      >
        <span className="min-w-0 flex-1">
          <span className="break-words font-semibold">{inLocale(title, locale) || link}</span>
          {facts.length > 0 && (
            <span className="block break-words text-ink-soft text-sm">{facts.join(' · ')}</span>
          )}
          <span className="block text-sm">
            <PublicationState publication={publication} />
          </span>
        </span>
        <span className="text-right text-ink-soft text-sm empty:hidden">
          {missing.map(({ language, texts }) => (
            <span key={language} className="block">
              {t('office.pages.missing', {
                count: texts,
                language: isLocale(language) ? locales[language].name : language,
              })}
            </span>
          ))}
        </span>
        <Icon name="chevron-right" size={20} />
      </Link>
    </li>
  );
}

function AddPost({ onClose }: { onClose: () => void }) {
  const { t, locale, call, queries } = useOffice();
  const once = useOnce();
  const navigate = useNavigate();
  const form = useForm({
    initial: noName,
    send: (typed) => call('addPost', { body: { title: newName(typed, locale) }, once }),
    onSent: async ({ content }) => {
      await queries.invalidateQueries({ queryKey: ['posts'] });
      await navigate({ to: `/office/blog/${content.id}` as '/office' });
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.blog.add')}>
      <SendForm form={form} label={t('office.blog.add')}>
        <p>{t('office.blog.addWhy')}</p>
        <NameFields form={form} label={t('office.page.title')} />
      </SendForm>
    </Dialog>
  );
}
