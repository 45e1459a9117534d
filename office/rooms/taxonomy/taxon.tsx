/** A category, brand or tag: its texts and picture, merging it into another one and removing it. */
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { TaxonUse } from '#contract/staff/taxonomy.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormSection, useForm } from '#ui/form.tsx';
import { Select } from '#ui/inputs.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { useDocument } from '../../lib/document.tsx';
import { DocumentForm, LocalTextOf, SelectOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';
import { PictureOf } from '../../lib/picture-of.tsx';
import { Problem, SendForm } from '../../lib/send-form.tsx';
import { asKind, type Kind, useTaxonOptions, useTaxons } from './taxonomy.tsx';

export default function TaxonPage() {
  const { kind, id = '' } = useParams({ strict: false }) as { kind?: string; id?: string };
  // Another one is another form.
  return <TaxonForm key={`${kind} ${id}`} kind={asKind(kind)} id={id} />;
}

const places = { category: 'categories', brand: 'brands', tag: 'tags' };
const addresses = { category: 'products', brand: 'brand', tag: 'tag' };

function TaxonForm({ kind, id }: { kind: Kind; id: string }) {
  const { t, locale, call, may } = useOffice();
  const params = { kind, id };
  const document = useDocument({
    name: ['taxon', kind, id],
    place: `${places[kind]}.${id}`,
    load: () => call('taxon', { params }),
    save: (body) => call('saveTaxon', { params, body }),
  });
  const { content, loaded } = document;
  const taxons = useTaxons(kind).data?.taxons ?? [];
  const parentOf = (child: string) => taxons.find((each) => each.id === child)?.parent ?? null;
  const isBelow = (each: string): boolean => each === id || (parentOf(each) !== null && isBelow(parentOf(each) ?? ''));
  const options = useTaxonOptions(taxons, (each) => isBelow(each.id));
  if (!content) return <Problem error={document.error} />;
  return (
    <div className="flex max-w-[60rem] flex-col gap-6">
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-2xl">{inLocale(content.name, locale)}</h1>
        <a href={`/${addresses[kind]}/${id}`} className="flex min-h-11 items-center underline" target="_blank" rel="noreferrer">
          {t('office.taxon.look')}
        </a>
      </header>
      <DocumentForm document={document}>
        <FormSection title={t('office.store.seen')}>
          <LocalTextOf path={['name']} label={t('office.goods.name')} />
          <LocalTextOf
            path={[kind === 'brand' ? 'story' : 'description']}
            label={t(kind === 'brand' ? 'office.taxon.story' : 'office.store.description')}
            long
          />
          {kind !== 'tag' && <PictureOf path={['image']} label={t('office.taxon.picture')} stored={loaded?.image ?? null} />}
          {kind === 'category' && (
            <SelectOf
              path={['parentId']}
              label={t('office.taxon.parent')}
              placeholder={t('office.taxon.top')}
              options={options}
              nullable
            />
          )}
        </FormSection>
      </DocumentForm>
      {may.includes('goods.write') && <Ending kind={kind} id={id} options={options} name={inLocale(content.name, locale)} />}
    </div>
  );
}

interface EndingProps {
  kind: Kind;
  id: string;
  name: string;
  options: { value: string; label: string }[];
}

function Ending(props: EndingProps) {
  const { t } = useLanguage();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button label={t('office.taxon.end')} variant="secondary" className="self-start" onClick={() => setIsOpen(true)} />
      {isOpen && <EndDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function EndDialog({ kind, id, name, options, onClose }: EndingProps & { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const { history } = useRouter();
  const use = useQuery({
    queryKey: ['taxon-use', kind, id],
    queryFn: () => call('taxonUse', { params: { kind, id } }),
    gcTime: 0,
  });
  const form = useForm({
    initial: { how: 'merge' as 'merge' | 'remove', to: '' },
    send: ({ how, to }) =>
      call('removeTaxon', { params: { kind, id }, body: { to: to === '' ? null : to, merge: how === 'merge' } }),
    onSent: (answer) => {
      queries.setQueryData(['taxonomy', kind], answer);
      void queries.invalidateQueries({ queryKey: ['goods'] });
      history.push(`/office/taxonomy?kind=${kind}`);
    },
  });
  const { how } = form.values;
  const needsOther = how === 'merge' || (kind !== 'tag' && (use.data?.products ?? 0) > 0);
  return (
    <Dialog open onClose={onClose} title={t('office.taxon.endTitle', { name })}>
      <SendForm form={form} label={t(`office.taxon.${how}`)}>
        <RadioCards
          legend={t('office.taxon.end')}
          hideLegend
          value={how}
          onChange={(value) => form.change({ how: value })}
          options={(['merge', 'remove'] as const).map((value) => ({
            value,
            title: t(`office.taxon.${value}`),
            note: t(`office.taxon.${value}Hint`),
          }))}
        />
        {needsOther && (
          <Select
            name="to"
            value={form.values.to}
            error={form.errors.to}
            onChange={({ target }) => form.change({ to: target.value })}
            label={t(how === 'merge' ? 'office.taxon.mergeInto' : 'office.taxon.productsTo')}
            placeholder={t('office.choose')}
            options={options}
          />
        )}
        {use.data && <Uses use={use.data} />}
      </SendForm>
    </Dialog>
  );
}

function Uses({ use: { products, children, mentions } }: { use: TaxonUse }) {
  const { t } = useLanguage();
  return (
    <div data-uses>
      <p>{t('office.taxon.products', { count: products })}</p>
      {children.length > 0 && <p>{t('office.taxon.children', { names: children.join(', ') })}</p>}
      {mentions.length > 0 && (
        <>
          <p className="mt-3 font-semibold">{t('office.taxon.mentions')}</p>
          <ul className="list-disc pl-5 text-sm">
            {mentions.map(({ in: place, name, lists }) => (
              <li key={`${place} ${name} ${lists}`}>{t(`office.taxon.in.${place}`, { name })}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
