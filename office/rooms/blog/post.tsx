/** A post of the blog: what lists show of it, and its text in parts. */
import { useParams } from '@tanstack/react-router';
import { postPath } from '#contract/limits.ts';
import { inLocale, offeredLocales } from '#contract/locales.ts';
import type { ArticlePart } from '#contract/schemas/blog.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { forms, partForms } from '#contract/staff/forms.ts';
import { useBlockers } from '../../lib/blockers.tsx';
import { Blocks, type PartKind } from '../../lib/blocks.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Preview } from '../../lib/preview.tsx';
import { ProductOf } from '../../lib/products-of.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { ShopLink } from '../../lib/text-link.tsx';

export default function PostPage() {
  const { post: id = '' } = useParams({ strict: false }) as { post?: string };
  const { t, may } = useOffice();
  return (
    <KindPage
      kind="post"
      id={id}
      name={['post', id]}
      list={{ path: 'blog', query: 'posts', title: t('office.blog') }}
      needs="content.write"
      publishes="content.publish"
      removable={may.includes('content.write')}
      isWide
      aside={(_, edits) => (
        <Preview
          kind="post"
          id={id}
          edits={edits}
          languages={offeredLocales()}
          hint={t('office.page.previewHint')}
        />
      )}
    >
      {(answer, edits) => (
        <>
          {answer.liveLink !== null && answer.publication.shownFrom === null && (
            <ShopLink href={postPath(answer.liveLink)}>{t('office.post.open')}</ShopLink>
          )}
          <Writing id={id} edits={edits} answer={answer} />
        </>
      )}
    </KindPage>
  );
}

/** The fields, with what is in the way of publishing: said at its part, and what is in none above. */
function Writing({
  id,
  edits,
  answer,
}: {
  id: string;
  edits: Patch['edits'];
  answer: StaffResponse<'post'>;
}) {
  const { call } = useOffice();
  const { problems, notice } = useBlockers(id, edits, 'parts', () =>
    call('tryPublishPost', { params: { id }, body: { edits } }),
  );
  return (
    <>
      {notice}
      <PostFields answer={answer} problems={problems} />
    </>
  );
}

interface PostFieldsProps {
  answer: Pick<StaffResponse<'post'>, 'blog' | 'products'>;
  problems: readonly (readonly [path: string, text: string])[];
}

export function PostFields({ answer: { blog, products }, problems }: PostFieldsProps) {
  const { locale } = useOffice();
  const options = (names: typeof blog.tags) =>
    names.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }));
  return (
    <SchemaForm
      fields={forms.post}
      choices={{ category: options(blog.categories), tags: options(blog.tags) }}
      own={{
        parts: (path) => (
          <Blocks
            key="parts"
            path={path}
            problems={problems}
            kinds={partKinds}
            controls={{
              own: {
                'parts.product': (at, { label }) => (
                  <ProductOf key="product" path={at} label={label} names={products} />
                ),
              },
            }}
            label="office.post.parts"
            none="office.post.noParts"
          />
        ),
      }}
    />
  );
}

/** In the order in which they are offered: text with formatting first. */
const offered: readonly ArticlePart['type'][] = [
  'html',
  'heading',
  'image',
  'product',
  'quote',
  'list',
  'paragraph',
];
const partKinds = Object.fromEntries(
  offered.map((type) => [
    type,
    { fields: partForms[type], name: `office.part.${type}`, about: `office.part.${type}.about` },
  ]),
) as Readonly<Record<string, PartKind>>;
