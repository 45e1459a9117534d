/** A page of the shop: its title, and its blocks in the order in which shoppers see them. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { homePage, pagePath } from '#contract/limits.ts';
import { offeredLocales } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { type FormField, forms } from '#contract/staff/forms.ts';
import { useBlockers } from '../../lib/blockers.tsx';
import { Blocks, blockControls } from '../../lib/blocks.tsx';
import type { Path } from '../../lib/document.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { type ChosenBlock, Preview } from '../../lib/preview.tsx';
import { ProductOf } from '../../lib/products-of.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { ShopLink } from '../../lib/text-link.tsx';

export default function PagePage() {
  const { page: id = '' } = useParams({ strict: false }) as { page?: string };
  const { t } = useOffice();
  const [pressed, setPressed] = useState<ChosenBlock | null>(null);
  const [opened, setOpened] = useState<ChosenBlock | null>(null);
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
        <Preview
          kind="page"
          id={id}
          edits={edits}
          languages={offeredLocales()}
          hint={t('office.page.previewPress')}
          block={opened}
          onBlock={(block) => setPressed({ id: block })}
        />
      )}
    >
      {({ publication, products }, edits) => (
        <>
          {publication?.state !== 'draft' && <ShopLink href={pagePath(id)}>{t('office.page.open')}</ShopLink>}
          <Writing {...{ id, edits, products, pressed }} onOpen={(block) => setOpened({ id: block })} />
        </>
      )}
    </KindPage>
  );
}

/** The fields, with what is in the way of publishing: said at its block, and what is in none above. */
interface WritingProps {
  id: string;
  edits: Patch['edits'];
  products: StaffResponse<'page'>['products'];
  pressed: ChosenBlock | null;
  onOpen: (block: string) => void;
}

function Writing({ id, edits, products, pressed, onOpen }: WritingProps) {
  const { call } = useOffice();
  const { problems, notice } = useBlockers(id, edits, 'blocks', () =>
    call('tryPublishPage', { params: { id }, body: { edits } }),
  );
  const controls = {
    own: {
      ...blockControls,
      'blocks.product': (at: Path, { label }: FormField) => (
        <ProductOf key="product" path={at} label={label} names={products} />
      ),
    },
  };
  return (
    <>
      {notice}
      <SchemaForm
        fields={forms.page}
        own={{ blocks: (path) => <Blocks key="blocks" {...{ path, problems, controls, pressed, onOpen }} /> }}
      />
    </>
  );
}
