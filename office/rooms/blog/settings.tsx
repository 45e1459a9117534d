/** A blog: its name, who may like posts, and the categories and tags of posts. */
import { useParams } from '@tanstack/react-router';
import { type LocalText, mainLocale } from '#contract/locales.ts';
import { forms } from '#contract/staff/forms.ts';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { ShopLink } from '../../lib/text-link.tsx';

export default function BlogPage() {
  const { blog: id = '' } = useParams({ strict: false }) as { blog?: string };
  const { t } = useOffice();
  return (
    <KindPage
      kind="blog"
      id={id}
      name={['blog', id]}
      list={{ path: 'blog', query: 'posts', title: t('office.blog') }}
      needs="content.write"
      removable={false}
    >
      {() => (
        <>
          <ShopLink href="/blog">{t('office.blog.open')}</ShopLink>
          <BlogFields />
        </>
      )}
    </KindPage>
  );
}

/** The server gives a new category or tag the address that its name suggests. */
const fresh = (unique: string) => ({ id: `new-${unique}`, name: { [mainLocale()]: '' } as LocalText });

export function BlogFields() {
  const { t } = useOffice();
  return (
    <SchemaForm
      fields={forms.blog}
      entry={{
        categories: (unique) => ({ ...fresh(unique), description: { [mainLocale()]: '' } }),
        tags: fresh,
      }}
      after={{
        'office.blog.tags': (
          <p key="removed" className="text-ink-soft text-sm">
            {t('office.blog.removedParts')}
          </p>
        ),
      }}
    />
  );
}
