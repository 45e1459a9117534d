/** A product: its texts in each language beside each other, prices, pictures and SKUs, and how it looks to a search engine. */
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { inLocale, localeCodes, locales, mainLocale } from '#contract/locales.ts';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import type { GoodsNames } from '#contract/staff/goods.ts';
import type { StaffTranslate } from '#contract/staff/messages.ts';
import { Button } from '#ui/button.tsx';
import { FormSection } from '#ui/form.tsx';
import { Checkbox, TextArea, TextField } from '#ui/inputs.tsx';
import { type Path, useDocument } from '../../lib/document.tsx';
import { CheckOf, DocumentForm, LocalTextOf, NumberOf, SelectOf, useEdited } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe, useOffice } from '../../lib/me.tsx';
import { MoneyOf } from '../../lib/money.tsx';
import { Revisions } from '../../lib/revisions.tsx';
import { RichTextsOf } from '../../lib/rich-texts-of.tsx';
import { Problem } from '../../lib/send-form.tsx';
import { TextLink } from '../../lib/text-link.tsx';
import { isoIn } from '../takings/sums.ts';
import { AddProduct, MoveProduct } from './add-product.tsx';
import { useGoodsNames } from './filters.tsx';
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
  const { content, loaded } = document;
  if (!content || !names) return <Problem error={document.error} />;
  const { pictures = {}, whyNot = [], outdated = {} } = loaded ?? {};
  const form = {
    ...document.form,
    noteAt: (path: Path) => outdatedText(outdated[path.join('.')], t, (was) => document.textOf(path, was)),
  };
  return (
    <div className="flex max-w-[80rem] flex-col gap-6">
      <TextLink href="/office/goods">{t('office.goods.back')}</TextLink>
      <Head id={id} title={inLocale(content.name, locale)} />
      <DocumentForm document={{ ...document, form }} aside={<Beside id={id} whyNot={whyNot} />}>
        <FormSection title={t('office.goods.texts')}>
          <LocalTextOf path={['name']} label={t('office.goods.name')} />
          <LocalTextOf path={['shortDescription']} label={t('office.goods.short')} long />
          <Description pictures={pictures} />
        </FormSection>
        <FormSection title={t('office.goods.pictures')}>
          <Pictures pictures={pictures} />
        </FormSection>
        <Selling />
        <FormSection title={t('office.goods.found')}>
          <Found names={names} />
        </FormSection>
        <FormSection title={t('office.goods.seo')}>
          <LocalTextOf path={['seoTitle']} label={t('office.goods.seoTitle')} />
          <LocalTextOf path={['seoDescription']} label={t('office.goods.seoDescription')} long />
        </FormSection>
        <FormSection title={t('office.goods.options')}>
          <Options content={content} />
        </FormSection>
        <FormSection title={t('office.goods.skus')}>
          <Skus content={content} />
        </FormSection>
        <Revisions
          name={['product', id]}
          document={document}
          ask={(query) => call('productRevisions', { params, query })}
          restore={may.includes('goods.write') ? (revision) => call('restoreProduct', { params, body: { revision } }) : undefined}
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
      <h1 className="text-2xl">{title}</h1>
      {mayWrite && (
        <p className="flex flex-wrap gap-3">
          <Button label={t('office.goods.move')} variant="secondary" size="small" onClick={() => setIsMoving(true)} />
          <Button label={t('office.goods.duplicate')} variant="secondary" size="small" onClick={() => setIsCopying(true)} />
        </p>
      )}
      {isMoving && <MoveProduct product={id} onClose={() => setIsMoving(false)} />}
      {isCopying && <AddProduct like={id} onClose={() => setIsCopying(false)} />}
    </header>
  );
}

function Selling() {
  const { t } = useLanguage();
  const statuses = (['active', 'draft', 'archived'] as const).map((value) => ({ value, label: t(`office.goods.is.${value}`) }));
  return (
    <FormSection title={t('office.goods.selling')}>
      <SelectOf path={['status']} label={t('office.goods.status')} usual="active" options={statuses} />
      <div className="grid gap-5 product:grid-cols-2">
        <TimeOf path={['publishAt']} label={t('office.goods.publishAt')} />
        <TimeOf path={['unpublishAt']} label={t('office.goods.unpublishAt')} />
      </div>
      <div className="grid gap-5 product:grid-cols-2">
        <MoneyOf path={['priceCents']} label={t('office.goods.price')} />
        <MoneyOf path={['compareAtCents']} label={t('office.goods.compareAt')} hint={t('office.goods.compareAtHint')} nullable />
        <NumberOf path={['weightGrams']} label={t('office.goods.weight')} nullable />
      </div>
      <CheckOf path={['clearance']} label={t('office.goods.clearance')} />
      <CheckOf path={['newArrival']} label={t('office.goods.newArrival')} />
      <CheckOf path={['inStoreOnly']} label={t('office.goods.inStoreOnly')} />
    </FormSection>
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
    const texts = localeCodes.map((code) => [code, html(code) || (code === mainLocale() ? '' : undefined)] as const);
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

/** A time on the clocks of the shop; empty: none. */
function TimeOf({ path, label }: { path: Path; label: string }) {
  const form = useEdited();
  const { t, shop } = useOffice();
  const at = form.valueAt(path);
  const print = (value: unknown) => (typeof value === 'number' ? isoIn(shop.timeZone, value) : '');
  return (
    <TextField
      type="datetime-local"
      label={label}
      hint={t('office.goods.shopTime', { timeZone: shop.timeZone })}
      value={print(at).replace(' ', 'T')}
      error={form.errorAt(path, label, print)}
      onChange={({ target }) => form.change(path, target.value === '' ? null : timeIn(shop.timeZone, target.value))}
    />
  );
}

/** Twice, because the first guess may lie on the other side of a change of the clocks. */
function timeIn(timeZone: string, text: string): number {
  const wanted = Date.parse(`${text}Z`);
  const missing = (at: number) => wanted - Date.parse(`${isoIn(timeZone, at).replace(' ', 'T')}Z`);
  const guess = wanted + missing(wanted);
  return guess + missing(guess);
}

/** Paragraphs of the product page, with an empty line between them. */
function Paragraphs() {
  const form = useEdited();
  const { t } = useLanguage();
  return (
    <div className="grid gap-5 product:grid-cols-2">
      {localeCodes.map((code) => {
        const path = ['description', code];
        const label = `${t('office.goods.description')} (${locales[code].name})`;
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
            onChange={({ target }) => form.change(path, target.value === '' ? [] : target.value.split('\n\n'))}
          />
        );
      })}
    </div>
  );
}

function Found({ names }: { names: GoodsNames }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const tags = (form.valueAt(['tags']) ?? []) as string[];
  const select = (field: 'brand' | 'category', options: GoodsNames['brands']) => (
    <SelectOf
      path={[field]}
      label={t(`office.goods.${field}`)}
      options={options.map(({ name, nameContent }) => ({ value: name, label: inLocale(nameContent, locale) }))}
    />
  );
  return (
    <>
      <div className="grid gap-5 product:grid-cols-2">
        {select('category', names.categories)}
        {select('brand', names.brands)}
      </div>
      <fieldset className="flex flex-wrap gap-x-6">
        <legend className="font-semibold">{t('office.goods.tags')}</legend>
        {names.tags.map(({ name, nameContent }) => (
          <Checkbox
            key={name}
            className="min-h-11 justify-center"
            label={inLocale(nameContent, locale)}
            checked={tags.includes(name)}
            onChange={({ target }) =>
              form.change(['tags'], target.checked ? [...tags, name].sort() : tags.filter((tag) => tag !== name))
            }
          />
        ))}
      </fieldset>
    </>
  );
}

function Beside({ id, whyNot }: { id: string; whyNot: StaffResponse<'product'>['whyNot'] }) {
  const form = useEdited();
  const { t, locale } = useLanguage();
  const text = (path: string) => String(form.valueAt([path, locale]) ?? form.valueAt([path, mainLocale()]) ?? '');
  return (
    <div className="flex flex-col gap-6">
      <section className="flex flex-col gap-2">
        <h2 className="text-lg">{t(whyNot.length === 0 ? 'office.goods.forSale' : 'office.goods.whyNot')}</h2>
        <ul className="list-disc pl-5 empty:hidden">
          {whyNot.map((reason) => (
            <li key={reason}>{t(`office.goods.why.${reason}`)}</li>
          ))}
        </ul>
        <a
          href={`/product/${id}`}
          target="_blank"
          rel="noreferrer"
          className="inline-flex min-h-11 items-center self-start underline"
        >
          {t('office.goods.inShop')}
        </a>
      </section>
      <section className="flex flex-col gap-2">
        <h2 className="text-lg">{t('office.goods.preview')}</h2>
        <div className="rounded-md border border-line bg-paper p-4">
          <p className="truncate text-ink-soft text-sm">{`${globalThis.location.host} › product › ${id}`}</p>
          <p className="line-clamp-2 text-action text-lg">{text('seoTitle') || text('name')}</p>
          <p className="line-clamp-3 text-sm">{text('seoDescription') || text('shortDescription')}</p>
        </div>
      </section>
    </div>
  );
}
