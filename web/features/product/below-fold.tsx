/** What a product's page shows below its first view. One file, which loads when any of it is near the window. */
import { inLocale } from '#contract/locales.ts';
import type { Product } from '#contract/schemas/catalogue.ts';
import { useLocale, useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Accordion } from '#web/ui/accordion.tsx';
import { cx } from '#web/ui/cx.ts';
import { Frame, Section } from '#web/ui/layout.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { BrewCard } from './brew-card.tsx';
import { SizeCaption, SizeDrawing } from './size-drawing.tsx';

/** The product's description and specifications, as folds beside its images. */
export function ProductFolds({ product }: { product: Product }) {
  const t = useT();
  const { description, specification, tags } = product;
  return (
    <>
      <Accordion summary={t('product.details')} defaultOpen>
        <div className="prose">
          {description.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
        <Tags tags={tags} />
      </Accordion>
      {specification.attributes.length > 0 && (
        <Accordion summary={t('product.specification')}>
          <dl>
            {specification.attributes.map(({ name, value }) => (
              <div key={name} className="grid grid-cols-[minmax(7rem,1fr)_2fr] gap-4 border-line border-b py-3">
                <dt className="text-ink-soft">{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </Accordion>
      )}
    </>
  );
}

function Tags({ tags }: Pick<Product, 'tags'>) {
  const t = useT();
  const locale = useLocale();
  if (tags.length === 0) return null;
  return (
    <nav aria-label={t('product.tags')} className="mt-4">
      <ul className="flex flex-wrap gap-x-4 text-sm">
        {tags.map(({ name, nameContent }) => (
          <li key={name}>
            <Link href={urls.tag(name)} className="link inline-block py-1">
              {inLocale(nameContent, locale)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Without a card beside it, the drawing stands beside its title. */
const sizeAloneClass = 'form:col-span-full form:grid form:grid-cols-[1fr_2fr]';

/** The product in use, over the whole width, and its size. */
export function ProductMore({ product }: { product: Product }) {
  const t = useT();
  const name = inLocale(product.nameContent, useLocale());
  const { brew, scene, size } = product;
  return (
    <>
      {scene && (
        <div className="section">
          <Picture image={scene} shape="wide" sizes="100vw" className="w-full" />
        </div>
      )}
      {(brew || size) && (
        <Frame className="grid gap-x-16 form:grid-cols-2">
          {brew && (
            <Section title={t('brew.title')}>
              <BrewCard name={name} brew={brew} />
            </Section>
          )}
          {size && (
            <Section title={t('size.title')} className={brew ? undefined : sizeAloneClass}>
              <div className={cx('grid gap-3', brew ? 'justify-items-center' : 'justify-items-start')}>
                <figure className="grid justify-items-center gap-3">
                  <SizeDrawing name={name} size={size} />
                  <SizeCaption size={size} />
                </figure>
                <Link href={urls.compare([product.id])} className="link py-1 text-sm">
                  {t('compare.open')}
                </Link>
              </div>
            </Section>
          )}
        </Frame>
      )}
    </>
  );
}

/** The scale drawing as the last image of the gallery. */
export function SizePicture({ product }: { product: Product }) {
  const name = inLocale(product.nameContent, useLocale());
  return (
    product.size && (
      <figure className="picture grid aspect-square place-content-center justify-items-center gap-3 p-6">
        <SizeDrawing name={name} size={product.size} />
        <SizeCaption size={product.size} />
      </figure>
    )
  );
}
