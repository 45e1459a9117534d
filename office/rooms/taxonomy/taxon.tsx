/** A category, brand or tag: its texts and picture, merging it into another one and removing it. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import { forms } from '#contract/staff/forms.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { Select, type SelectOption } from '#ui/inputs.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { useOnce } from '../../lib/api.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { KindPage } from '../../lib/kind-page.tsx';
import { useOffice } from '../../lib/me.tsx';
import { Affected } from '../../lib/removal.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { SendForm } from '../../lib/send-form.tsx';
import { asKind, type Kind, useTaxonOptions, useTaxons } from './taxonomy.tsx';

const addresses = { category: 'products', brand: 'brand', tag: 'tag' };

export default function TaxonPage() {
  const { kind: given, id = '' } = useParams({ strict: false }) as { kind?: string; id?: string };
  const { t, locale } = useLanguage();
  const kind = asKind(given);
  const taxons = useTaxons(kind).data?.taxons ?? [];
  const parentOf = (child: string) => taxons.find((each) => each.id === child)?.parent ?? null;
  const isBelow = (each: string): boolean =>
    each === id || (parentOf(each) !== null && isBelow(parentOf(each) ?? ''));
  const options = useTaxonOptions(taxons, (each) => isBelow(each.id));
  const shown = taxons.find((each) => each.id === id);
  return (
    <KindPage
      kind={kind}
      id={id}
      name={[kind, id]}
      list={{ path: `taxonomy?kind=${kind}`, query: 'taxonomy', title: t(`office.taxon.${kind}`) }}
      needs="goods.write"
      removable
      ending={
        <Ending kind={kind} id={id} options={options} name={shown ? inLocale(shown.name, locale) : id} />
      }
    >
      {() => (
        <>
          <a
            href={`/${addresses[kind]}/${id}`}
            className="-my-6 flex min-h-11 items-center self-start underline"
            target="_blank"
            rel="noreferrer"
          >
            {t('office.taxon.look')}
          </a>
          <TaxonFields kind={kind} parents={options} />
        </>
      )}
    </KindPage>
  );
}

export const TaxonFields = ({ kind, parents }: { kind: Kind; parents: readonly SelectOption[] }) => (
  <SchemaForm fields={forms[kind]} choices={{ parent: parents }} />
);

interface EndingProps {
  kind: Kind;
  id: string;
  name: string;
  options: readonly SelectOption[];
}

function Ending(props: EndingProps) {
  const { t } = useLanguage();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        label={t('office.taxon.end')}
        variant="secondary"
        className="self-start"
        onClick={() => setIsOpen(true)}
      />
      {isOpen && <EndDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}

const uses = { category: 'categoryUse', brand: 'brandUse', tag: 'tagUse' } as const;
const removals = { category: 'removeCategory', brand: 'removeBrand', tag: 'removeTag' } as const;

function EndDialog({ kind, id, name, options, onClose }: EndingProps & { onClose: () => void }) {
  const { t, call, queries } = useOffice();
  const once = useOnce();
  const { history } = useRouter();
  const form = useForm({
    initial: { how: 'merge' as 'merge' | 'remove', to: '' },
    send: ({ how, to }) => {
      const body = { to: to === '' ? null : to, merge: how === 'merge' };
      return call(removals[kind], { params: { id }, body, once });
    },
    onSent: () => {
      history.push(`/office/taxonomy?kind=${kind}`);
      queries.removeQueries({ queryKey: [kind, id] });
      for (const query of ['taxonomy', 'goods']) void queries.invalidateQueries({ queryKey: [query] });
    },
  });
  const { how, to } = form.values;
  const use = useQuery({
    queryKey: ['use', kind, id, how, to],
    queryFn: () =>
      call(uses[kind], { params: { id }, query: { merge: how === 'merge', ...(to !== '' && { to }) } }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
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
        {(how === 'merge' || kind !== 'tag') && (
          <Select
            name="to"
            value={to}
            error={form.errors.to}
            onChange={({ target }) => form.change({ to: target.value })}
            label={t(how === 'merge' ? 'office.taxon.mergeInto' : 'office.taxon.productsTo')}
            placeholder={t('office.choose')}
            options={[...options]}
          />
        )}
        {use.data && (how === 'remove' || to !== '') && <Affected use={use.data} />}
      </SendForm>
    </Dialog>
  );
}
