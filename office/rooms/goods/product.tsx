/** A product: its texts in each language beside each other, prices, pictures and SKUs, and how it looks to a search engine. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { inLocale, localeCodes, locales, mainLocale, offeredLocales } from '#contract/locales.ts';
import type { Patch } from '#contract/staff/endpoint.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { forms } from '#contract/staff/forms.ts';
import type { GoodsNames, ProductDocument } from '#contract/staff/goods.ts';
import type { StaffMessageKey, StaffTranslate } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { Checkbox, TextArea } from '#ui/inputs.tsx';
import { useOnce } from '../../lib/api.ts';
import { type Path, useDocument, useTrial } from '../../lib/document.tsx';
import { DocumentForm, useEdited } from '../../lib/document-form.tsx';
import { labelIn, useLanguage } from '../../lib/i18n.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { PhoneSheet } from '../../lib/phone-sheet.tsx';
import { Revisions } from '../../lib/revisions.tsx';
import { RichTextsOf } from '../../lib/rich-texts-of.tsx';
import { SchemaForm } from '../../lib/schema-form.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { ShopLink, TextLink } from '../../lib/text-link.tsx';
import { AddProduct, MoveProduct } from './add-product.tsx';
import { useGoodsNames } from './filters.tsx';
import { GroupsOf } from './groups-of.tsx';
import { Options } from './options.tsx';
import { Pictures } from './pictures.tsx';
import { Skus } from './skus.tsx';

export default function ProductPage() {
  const { product = '' } = useParams({ strict: false }) as { product?: string };
  // Another product is another form.
  return <ProductForm key={product} id={product} />;
}

function ProductForm({ id }: { id: string }) {
  const { t, locale, may, call, queries } = useOffice();
  const params = { product: id };
  const changed = () => void queries.invalidateQueries({ queryKey: ['goods'] });
  const once = useOnce();
  const document = useDocument({
    name: ['product', id],
    place: `products.${id}`,
    load: () => call('product', { params }),
    save: async (body) => {
      const saved = await call('saveProduct', { params, body });
      changed();
      return saved;
    },
  });
  const names = useGoodsNames();
  const { content, loaded, edits } = document;
  if (!content || !names) return <Problem error={document.error} />;
  // A draft is there also without a network.
  const answer = { revision: 0, pictures: {}, related: [], whyNot: [], outdated: {}, ...loaded, content };
  const form = {
    ...document.form,
    noteAt: (path: Path) =>
      outdatedText(answer.outdated[path.join('.')], t, (was) => document.textOf(path, was)),
  };
  return (
    <div className="flex max-w-room flex-col gap-6">
      <TextLink href="/office/goods">{t('office.goods.back')}</TextLink>
      <Head id={id} title={inLocale(content.name, locale)} />
      <DocumentForm
        document={{ ...document, form }}
        aside={<Beside {...{ content, edits }} whyNot={answer.whyNot} />}
      >
        <ProductForms answer={answer} names={names} />
        <Revisions
          kind="product"
          content={loaded?.content}
          name={['product', id]}
          document={document}
          ask={(query) => call('productRevisions', { params, query })}
          restore={
            may.includes('goods.write') && loaded
              ? (revision) =>
                  call('restoreProduct', { params, body: { revision, seen: loaded.revision }, once })
              : undefined
          }
          onRestored={changed}
        />
      </DocumentForm>
    </div>
  );
}

/** What a text said when it was translated; null: that is not known. */
function outdatedText(was: unknown, t: StaffTranslate, print: (was: unknown) => string): string | undefined {
  if (was === undefined) return undefined;
  return was === null ? t('office.goods.outdated') : t('office.goods.outdatedWas', { text: print(was) });
}

function Head({ id, title }: { id: string; title: string }) {
  const { t } = useLanguage();
  const mayWrite = useMe().may.includes('goods.write');
  const [isCopying, setIsCopying] = useState(false);
  const [isMoving, setIsMoving] = useState(false);
  return (
    <header className="flex flex-wrap items-center justify-between gap-4">
      <h1 className="wrap-anywhere text-2xl">{title}</h1>
      {mayWrite && (
        <p className="flex flex-wrap gap-3">
          <Button
            label={t('office.goods.move')}
            variant="secondary"
            size="small"
            onClick={() => setIsMoving(true)}
          />
          <Button
            label={t('office.goods.duplicate')}
            variant="secondary"
            size="small"
            onClick={() => setIsCopying(true)}
          />
        </p>
      )}
      {isMoving && <MoveProduct product={id} onClose={() => setIsMoving(false)} />}
      {isCopying && <AddProduct like={id} onClose={() => setIsCopying(false)} />}
    </header>
  );
}

interface ProductFormsProps {
  /** With the document as it is edited. */
  answer: StaffResponse<'product'>;
  names: GoodsNames;
}

export function ProductForms({ answer: { content, pictures, related }, names }: ProductFormsProps) {
  const { locale } = useLanguage();
  const optionsOf = (all: GoodsNames['tags']) =>
    all.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }));
  const isDrawnThere = () => null;
  return (
    <SchemaForm
      fields={forms.product}
      choices={{ brand: optionsOf(names.brands), category: optionsOf(names.categories) }}
      products={related}
      own={{
        description: () => <Description key="description" pictures={pictures} />,
        descriptionHtml: isDrawnThere,
        images: () => <Pictures key="images" pictures={pictures} />,
        'details.imageTexts': isDrawnThere,
        'details.scene': isDrawnThere,
        tags: (path, { label }) => <Tags key="tags" {...{ path, label, tags: names.tags }} />,
        modifierGroups: (path, field) => <GroupsOf key="groups" {...{ path, field }} />,
        options: () => <Options key="options" content={content} />,
        skus: (_, { fields = [] }) => <Skus key="skus" {...{ content, fields }} />,
      }}
    />
  );
}

/** Paragraphs, or formatted text in place of them. */
function Description({ pictures }: DescriptionProps) {
  const form = useEdited();
  const { t } = useLanguage();
  const [isBegun, setIsBegun] = useState(false);
  if (form.valueAt(['descriptionHtml'])) return <Formatted pictures={pictures} isBegun={isBegun} />;
  const begin = async () => {
    const { htmlOfParagraphs } = await import('../../lib/rich-text/html.ts');
    const html = (code: string) => htmlOfParagraphs((form.valueAt(['description', code]) ?? []) as string[]);
    setIsBegun(true);
    const texts = localeCodes.map(
      (code) => [code, html(code) || (code === mainLocale() ? '' : undefined)] as const,
    );
    form.change(['descriptionHtml'], Object.fromEntries(texts.filter(([, text]) => text !== undefined)));
  };
  return (
    <>
      <Paragraphs />
      <Button variant="secondary" size="small" className="self-start" onClick={() => void begin()}>
        {t('office.goods.format')}
      </Button>
    </>
  );
}

interface DescriptionProps {
  pictures: StaffResponse<'product'>['pictures'];
}

function Formatted({ pictures, isBegun }: DescriptionProps & { isBegun: boolean }) {
  const form = useEdited();
  const { t } = useLanguage();
  return (
    <div className="flex flex-col items-start gap-3">
      <RichTextsOf
        path={['descriptionHtml']}
        label={t('office.goods.formatted')}
        addressOf={(file) => pictures[file]?.imageURL}
        autoFocus={isBegun}
      />
      <p className="text-ink-soft text-sm">{t('office.goods.formattedHint')}</p>
      <Button variant="secondary" size="small" onClick={() => form.change(['descriptionHtml'], undefined)}>
        {t('office.goods.useParagraphs')}
      </Button>
    </div>
  );
}

/** Paragraphs of the product page, with an empty line between them. */
function Paragraphs() {
  const form = useEdited();
  const { t } = useLanguage();
  return (
    <div className="grid gap-5 product:grid-cols-2">
      {offeredLocales().map((code) => {
        const path = ['description', code];
        const label = labelIn(code, t('office.goods.description'));
        const value = form.valueAt(path);
        return (
          <TextArea
            key={code}
            label={label}
            hint={[t('office.goods.paragraphs'), form.noteAt?.(path)].filter(Boolean).join(' · ')}
            lang={locales[code].tag}
            rows={6}
            value={Array.isArray(value) ? value.join('\n\n') : ''}
            error={form.errorAt(path, label)}
            onChange={({ target }) =>
              form.change(path, target.value === '' ? [] : target.value.split('\n\n'))
            }
          />
        );
      })}
    </div>
  );
}

function Tags({ path, label, tags: all }: { path: Path; label: StaffMessageKey; tags: GoodsNames['tags'] }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const tags = (form.valueAt(path) ?? []) as string[];
  const labelOf = (tag: string) =>
    inLocale(all.find(({ name }) => name === tag)?.nameContent ?? { en: tag }, locale);
  const error = form.errorAt(path, t(label), (list) =>
    ((list ?? []) as string[]).map(labelOf).join(t('office.listSeparator')),
  );
  return (
    <fieldset className="flex flex-wrap gap-x-6">
      <legend className="font-semibold">{t(label)}</legend>
      {all.map(({ name, nameContent }) => (
        <Checkbox
          key={name}
          className="min-h-11 justify-center"
          label={inLocale(nameContent, locale)}
          checked={tags.includes(name)}
          onChange={({ target }) =>
            form.change(path, target.checked ? [...tags, name].sort() : tags.filter((tag) => tag !== name))
          }
        />
      ))}
      <FieldError id="tags-error">{error}</FieldError>
    </fieldset>
  );
}

interface BesideProps {
  content: ProductDocument;
  whyNot: StaffResponse<'product'>['whyNot'];
  edits: Patch['edits'];
}

function Beside({ content, whyNot, edits }: BesideProps) {
  const { id } = content;
  const form = useEdited();
  const { t, locale } = useLanguage();
  const text = (path: string) =>
    String(form.valueAt([path, locale]) ?? form.valueAt([path, mainLocale()]) ?? '');
  return (
    <div className="flex flex-col gap-6">
      <section className="flex flex-col gap-2">
        <h2 className="text-lg">{t(whyNot.length === 0 ? 'office.goods.forSale' : 'office.goods.whyNot')}</h2>
        <ul className="list-disc pl-5 empty:hidden">
          {whyNot.map((reason) => (
            <li key={reason}>{t(`office.goods.why.${reason}`)}</li>
          ))}
        </ul>
        <ShopLink href={`/product/${id}`}>{t('office.goods.inShop')}</ShopLink>
      </section>
      <section className="flex flex-col gap-2">
        <h2 className="text-lg">{t('office.goods.preview')}</h2>
        <div className="rounded-md border border-line bg-paper p-4">
          <p className="truncate text-ink-soft text-sm">{`${globalThis.location.host} › product › ${id}`}</p>
          <p className="line-clamp-2 text-action text-lg">{text('seoTitle') || text('name')}</p>
          <p className="line-clamp-3 text-sm">{text('seoDescription') || text('shortDescription')}</p>
        </div>
      </section>
      {(content.modifierGroups ?? []).length > 0 && <ProductSheet content={content} edits={edits} />}
    </div>
  );
}

/** What a shopper's phone asks for, as far as the edits are about it. */
function ProductSheet({ content: { id, options }, edits: all }: Pick<BesideProps, 'content' | 'edits'>) {
  const { call, locale, shop } = useOffice();
  const edits = all.filter(({ path: [field] }) => field === 'modifierGroups');
  const trial = useTrial(['try-product', id, locale, edits], () =>
    call('tryProduct', { params: { product: id }, body: { edits } }),
  );
  const byOption = options.map(({ name, values }) => ({ name, values: values.map((value) => value.name) }));
  return <PhoneSheet trial={trial} options={byOption} currency={shop.currency} />;
}
