/** A page of the shop: its title, and its blocks in the order in which shoppers see them. */
import { useParams } from '@tanstack/react-router';
import { homePage, pagePath } from '#contract/limits.ts';
import { offeredLocales } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import { forms } from '#contract/staff/forms.ts';
import { useBlockers } from '../../lib/blockers.tsx';
import { Blocks } from '../../lib/blocks.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Preview } from '../../lib/preview.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { ShopLink } from '../../lib/text-link.tsx';

export default function PagePage() {
  const { page: id = '' } = useParams({ strict: false }) as { page?: string };
  const { t } = useOffice();
  return (
    <KindPage
      kind="page"
      id={id}
      name={['page', id]}
      list={{ path: 'pages', query: 'pages', title: t('office.pages') }}
      needs="content.write"
      publishes="content.publish"
      removable={id !== homePage}
      isWide
      aside={(_, edits) => (
        <Preview kind="page" id={id} edits={edits} languages={offeredLocales()} hint={t('office.page.previewHint')} />
      )}
    >
      {({ publication }, edits) => (
        <>
          {publication?.state !== 'draft' && <ShopLink href={pagePath(id)}>{t('office.page.open')}</ShopLink>}
          <Writing id={id} edits={edits} />
        </>
      )}
    </KindPage>
  );
}

/** The fields, with what is in the way of publishing: said at its block, and what is in none above. */
function Writing({ id, edits }: { id: string; edits: Patch['edits'] }) {
  const { call } = useOffice();
  const { problems, notice } = useBlockers(id, edits, 'blocks', () =>
    call('tryPublishPage', { params: { id }, body: { edits } }),
  );
  return (
    <>
      {notice}
      <SchemaForm fields={forms.page} own={{ blocks: (path) => <Blocks key="blocks" path={path} problems={problems} /> }} />
    </>
  );
}
