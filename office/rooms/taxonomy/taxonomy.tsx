import { useMutation, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { taxonKinds } from '#contract/limits.ts';
import { inLocale } from '#contract/locales.ts';
import type { TaxonList } from '#contract/staff/taxonomy.ts';
import { cx } from '#ui/cx.ts';
import { Select } from '#ui/inputs.tsx';
import { Link } from '#ui/link.tsx';
import { AddButton, useAdding } from '../../lib/adding.tsx';
import { useCall } from '../../lib/api.ts';
import { Mover } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { LoadingRows, useFilters } from '../../lib/lists.tsx';
import { useOffice } from '../../lib/me.tsx';
import { AddNamed, Problem } from '../../lib/send-form.tsx';
import { type TaxonKind, taxonsQuery } from '../../lib/whole-lists.ts';

export type Kind = TaxonKind;
type Taxon = TaxonList['taxons'][number];

export const asKind = (text: string | undefined): Kind =>
  taxonKinds.find((each) => each === text) ?? 'category';

export function useTaxons(kind: Kind) {
  const call = useCall();
  return useQuery(taxonsQuery(call, kind));
}

export default function Taxonomy() {
  const { t, may } = useOffice();
  const [filters] = useFilters();
  const adding = useAdding();
  const kind = asKind(filters.kind);
  const { data, error } = useTaxons(kind);
  const mayWrite = may.includes('goods.write');
  return (
    <div className="flex max-w-room flex-col gap-6">
      <header className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-2xl">{t('office.taxonomy')}</h1>
        <AddButton adding={adding} name={`office.taxon.add.${kind}`} />
      </header>
      <nav aria-label={t('office.taxonomy')} className="flex flex-wrap gap-2">
        {taxonKinds.map((each) => (
          <Link
            key={each}
            href={`/office/taxonomy?kind=${each}`}
            aria-current={each === kind ? 'page' : undefined}
            className={cx(
              'flex min-h-11 items-center rounded-full border border-line px-4 hover:bg-raised',
              each === kind && 'border-action font-semibold text-action',
            )}
          >
            {t(`office.taxon.${each}`)}
          </Link>
        ))}
      </nav>
      <Problem error={error} />
      <LoadingRows until={data !== undefined || error !== null} />
      {data?.taxons.length === 0 && <p className="text-ink-soft">{t('office.taxon.none')}</p>}
      {data && <List kind={kind} taxons={data.taxons} mayWrite={mayWrite} />}
      {adding.isOpen && <AddTaxon kind={kind} taxons={data?.taxons ?? []} onClose={adding.close} />}
    </div>
  );
}

const indents = ['', 'pl-6', 'pl-12', 'pl-18'];

export function depthOf(taxons: readonly Taxon[], { parent }: Taxon): number {
  const above = taxons.find(({ id }) => id === parent);
  return above ? depthOf(taxons, above) + 1 : 0;
}

function List({ kind, taxons, mayWrite }: { kind: Kind; taxons: readonly Taxon[]; mayWrite: boolean }) {
  const { t, locale, call, queries } = useOffice();
  const move = useMutation({
    mutationFn: ({ id, before }: { id: string; before: string | null }) =>
      call('moveTaxon', { params: { kind, id }, body: { before } }),
    onSuccess: (answer) => queries.setQueryData(['taxonomy', kind], answer),
  });
  return (
    <>
      <Problem error={move.error} />
      <ul className="divide-y divide-line border-line border-y empty:hidden">
        {taxons.map((taxon) => {
          const siblings = taxons.filter(({ parent }) => parent === taxon.parent).map(({ id }) => id);
          const others = siblings.filter((id) => id !== taxon.id);
          const name = inLocale(taxon.name, locale);
          return (
            <li key={taxon.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
              <Link
                href={`/office/taxonomy/${kind}/${encodeURIComponent(taxon.id)}`}
                className={cx(
                  'flex min-h-14 min-w-0 flex-1 basis-60 items-center gap-3',
                  indents[depthOf(taxons, taxon)],
                )}
              >
                {kind !== 'tag' && <Thumbnail taxon={taxon} />}
                <span className="min-w-0">
                  <span className="font-semibold">{name}</span>
                  <span className="block text-ink-soft text-sm">
                    {t('office.taxon.products', { count: taxon.products })}
                  </span>
                </span>
              </Link>
              {mayWrite && (
                <span className="flex gap-2">
                  <Mover
                    index={siblings.indexOf(taxon.id)}
                    count={siblings.length}
                    name={name}
                    onMove={(to) => move.mutate({ id: taxon.id, before: others[to] ?? null })}
                  />
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Thumbnail({ taxon: { image } }: { taxon: Taxon }) {
  const look = 'size-12 flex-none rounded-md bg-surface-inset object-cover';
  if (!image) return <span className={look} aria-hidden />;
  const small = image.imageURL.replace(/^\/media\/\d+/, '/media/160');
  return <img src={small} alt="" loading="lazy" className={look} style={{ backgroundColor: image.color }} />;
}

/** Categories as choices, with their depth. */
export function useTaxonOptions(
  taxons: readonly Taxon[],
  isLeftOut: (taxon: Taxon) => boolean = () => false,
) {
  const { locale } = useLanguage();
  return taxons
    .filter((each) => !isLeftOut(each))
    .map((each) => ({
      value: each.id,
      label: `${'– '.repeat(depthOf(taxons, each))}${inLocale(each.name, locale)}`,
    }));
}

function AddTaxon({ kind, taxons, onClose }: { kind: Kind; taxons: readonly Taxon[]; onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const { history } = useRouter();
  const options = useTaxonOptions(taxons);
  const [parent, setParent] = useState('');
  return (
    <AddNamed
      kind={kind}
      title={t(`office.taxon.add.${kind}`)}
      send={(named, once) => {
        if (kind === 'category')
          return call('addCategory', { body: { ...named, parent: parent || null }, once });
        return call(kind === 'brand' ? 'addBrand' : 'addTag', { body: named, once });
      }}
      onSent={(_, id) => {
        void queries.invalidateQueries({ queryKey: ['taxonomy', kind] });
        history.push(`/office/taxonomy/${kind}/${id}`);
      }}
      onClose={onClose}
    >
      {kind === 'category' && (
        <Select
          value={parent}
          onChange={({ target }) => setParent(target.value)}
          label={t('office.taxon.parent')}
          placeholder={t('office.taxon.top')}
          options={options}
        />
      )}
    </AddNamed>
  );
}
