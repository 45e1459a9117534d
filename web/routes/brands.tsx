/** SPEC §2: all brands, as images or as a list; the address says which. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { inLocale } from '#contract/locales.ts';
import type { Brand } from '#contract/schemas/catalogue.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useLocale, useT } from '#ui/i18n.tsx';
import { Icon, type IconPath } from '#ui/icon.tsx';
import { Frame, PageHeading } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { EmptyState } from '#ui/notice.tsx';
import { brandsQuery } from '#web/features/catalogue/queries.ts';
import { useApi } from '#web/lib/api.ts';
import { pageHead } from '#web/lib/head.ts';
import { type BrandsView, urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';

const gridIcon: IconPath = 'M4.5 4.5h6v6h-6zM13.5 4.5h6v6h-6zM4.5 13.5h6v6h-6zM13.5 13.5h6v6h-6z';
const listIcon: IconPath = 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.01M4.5 12h.01M4.5 17.5h.01';

const views = [
  { view: 'grid', icon: gridIcon, key: 'brands.view.grid' },
  { view: 'list', icon: listIcon, key: 'brands.view.list' },
] as const;

export const Route = createFileRoute('/brands')({
  validateSearch: (raw: Record<string, unknown>): { view: 'list' | undefined } => ({
    view: raw.view === 'list' ? 'list' : undefined,
  }),
  loader: async ({ context }) => {
    await context.queryClient.query({ ...brandsQuery(context.api), staleTime: 'static' });
    return { title: context.t('brands.title'), description: context.t('brands.lead') };
  },
  head: ({ matches, loaderData }) => pageHead(matches, loaderData),
  component: BrandsPage,
});

function BrandsPage() {
  const { data: brands } = useSuspenseQuery(brandsQuery(useApi()));
  return <BrandsScreen brands={brands} view={Route.useSearch().view ?? 'grid'} />;
}

function BrandsScreen({ brands, view }: { brands: Brand[]; view: BrandsView }) {
  const t = useT();
  if (brands.length === 0) {
    return (
      <Frame>
        <EmptyState
          as="h1"
          title={t('brands.empty')}
          actions={<LinkButton href={urls.productList()}>{t('list.empty.all')}</LinkButton>}
        />
      </Frame>
    );
  }
  return (
    <Frame className="pt-4 pb-section">
      <PageHeading lead={t('brands.lead')} aside={<ViewToggle view={view} />}>
        {t('brands.title')}
      </PageHeading>
      <ul
        className={cx(
          'mt-10',
          view === 'grid'
            ? 'grid gap-x-6 gap-y-10 product:grid-cols-2 wide:grid-cols-3'
            : 'border-line border-t',
        )}
      >
        {brands.map((brand, index) => (
          <li key={brand.name}>
            {view === 'grid' ? (
              <BrandCard brand={brand} priority={index === 0} />
            ) : (
              <BrandRow brand={brand} />
            )}
          </li>
        ))}
      </ul>
    </Frame>
  );
}

/** Two links rather than a button: each view has its own address, which can be shared and revisited. */
function ViewToggle({ view }: { view: BrandsView }) {
  const t = useT();
  return (
    <nav aria-label={t('brands.view')} className="inline-flex rounded-md border border-edge">
      {views.map(({ view: other, icon, key }) => (
        <Link
          key={other}
          href={urls.brands(other)}
          keepScroll
          replace
          aria-current={other === view ? 'true' : undefined}
          className={cx(
            'flex min-h-11 items-center gap-2 rounded-sm px-4 no-underline',
            other === view ? 'bg-action-tint font-semibold' : 'text-ink-soft hover:text-ink',
          )}
        >
          <Icon name={icon} size={20} />
          {t(key)}
        </Link>
      ))}
    </nav>
  );
}

function BrandName({ brand, small }: { brand: Brand; small?: boolean }) {
  return (
    <h2 className={small ? 'text-lg' : 'text-xl'}>
      <Link
        href={urls.brand(brand.name)}
        className="no-underline outline-none after:absolute after:inset-0 after:rounded-sm focus-visible:after:outline-2 focus-visible:after:outline-focus focus-visible:after:outline-offset-6 group-hover:underline group-hover:decoration-1"
      >
        {inLocale(brand.nameContent, useLocale())}
      </Link>
    </h2>
  );
}

function BrandCard({ brand, priority }: { brand: Brand; priority: boolean }) {
  const t = useT();
  return (
    <article className="group relative">
      {brand.image && (
        <Picture
          image={brand.image}
          className="aspect-4/3"
          alt=""
          priority={priority}
          sizes="(min-width: 80rem) 30vw, (min-width: 48rem) 45vw, 92vw"
        />
      )}
      <div className="mt-4 flex items-baseline justify-between gap-4">
        <BrandName brand={brand} />
        <span className="flex-none text-ink-soft text-sm">{t('list.count', { count: brand.count })}</span>
      </div>
      <p className="mt-2 text-ink-soft">{brand.story}</p>
    </article>
  );
}

function BrandRow({ brand }: { brand: Brand }) {
  const t = useT();
  return (
    <article className="group relative flex items-center gap-5 border-line border-b py-4">
      {brand.image && (
        <div className="w-16 flex-none">
          <Picture image={brand.image} shape="square" alt="" sizes="4rem" />
        </div>
      )}
      <div className="min-w-0 flex-1 items-baseline justify-between gap-4 form:flex">
        <BrandName brand={brand} small />
        <span className="flex-none text-ink-soft text-sm">{t('list.count', { count: brand.count })}</span>
      </div>
      <Icon name="chevron-right" size={20} className="flex-none text-ink-soft" />
    </article>
  );
}
