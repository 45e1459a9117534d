/** A category, brand or tag: its texts and picture, merging it into another one and removing it. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { inLocale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import type { TaxonUse } from '#contract/staff/taxonomy.ts';
import { Button } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { errorText } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { FormSection, useForm } from '#ui/form.tsx';
import { useT } from '#ui/i18n.tsx';
import { Select } from '#ui/inputs.tsx';
import { RadioCards } from '#ui/radio-cards.tsx';
import { type Path, useDocument } from '../../lib/document.tsx';
import { DocumentForm, LocalTextOf, SelectOf, useEdited } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useOffice } from '../../lib/me.tsx';
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

interface PictureOfProps {
  path: Path;
  label: string;
  /** That of the document as it is stored. */
  stored: ImageInfo | null;
}

/** A field of a document with one picture, which is uploaded when it is chosen. */
function PictureOf({ path, label, stored }: PictureOfProps) {
  const form = useEdited();
  const { t, call } = useOffice();
  const shared = useT();
  const id = useId();
  const [added, setAdded] = useState<Readonly<Record<string, ImageInfo>>>({});
  const add = useMutation({
    mutationFn: (file: File) => call('addPicture', { query: { name: file.name }, file }),
    onSuccess: ({ file, image }) => {
      setAdded((before) => ({ ...before, [file]: image }));
      form.change(path, file);
    },
  });
  const file = form.valueAt(path) as string | null;
  const image = file === null ? null : (added[file] ?? stored);
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className={legendClass}>
        {label}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        {image && (
          <img
            src={image.imageURL.replace(/^\/media\/\d+/, '/media/320')}
            alt={file ?? ''}
            className="aspect-square w-28 rounded-md object-cover"
            style={{ backgroundColor: image.color }}
          />
        )}
        <label className="btn btn-secondary btn-small cursor-pointer focus-within:outline-2">
          {t(add.isPending ? 'office.goods.addingPictures' : image ? 'office.picture.replace' : 'office.picture.choose')}
          <input
            type="file"
            // Without HEIC in the list, iPhones send JPEG.
            accept="image/jpeg,image/png,image/webp,image/avif"
            className="sr-only"
            aria-describedby={id}
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) add.mutate(chosen);
              target.value = '';
            }}
          />
        </label>
        {file !== null && (
          <Button variant="quiet" size="small" aria-describedby={id} onClick={() => form.change(path, null)}>
            {t('office.goods.removePicture')}
          </Button>
        )}
      </div>
      <FieldError id={`${id}-error`}>{add.error ? errorText(add.error, shared) : form.errorAt(path, label)}</FieldError>
    </div>
  );
}
