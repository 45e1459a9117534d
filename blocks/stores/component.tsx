import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { SeeMore } from '#web/ui/product-grid.tsx';

const storeClass =
  'group relative grid grid-cols-[6rem_1fr] items-center gap-x-4 product:grid-cols-1 product:gap-y-3';

/** The stores side by side, each with a link to its hours and the way there. Hidden if there are none. */
export function StoresBlock({ block: { title, stores } }: BlockProps<'stores'>) {
  const t = useT();
  if (stores.length === 0) return null;
  return (
    <BlockFrame>
      <Section
        title={title}
        unseenTitle={t('block.stores')}
        more={<SeeMore href={urls.contact()} title={title} />}
      >
        <ul className="grid gap-x-6 gap-y-5 product:grid-cols-4">
          {stores.map(({ id, name, city, street, image, isOpen, status }) => (
            <li key={id} className={storeClass}>
              {image ? (
                <Picture
                  image={image}
                  alt=""
                  shape="square"
                  sizes="(min-width: 48rem) 23vw, 96px"
                  className="product:aspect-4/3!"
                />
              ) : (
                <span />
              )}
              <div>
                <h3>
                  <Link
                    href={`${urls.contact()}#store-${id}`}
                    className="after:absolute after:inset-0 group-hover:underline"
                  >
                    {name}
                  </Link>
                </h3>
                <p className="text-ink-soft text-sm">{[street, city].filter(Boolean).join(', ')}</p>
                <p className={cx('font-semibold text-sm', isOpen && 'text-action')}>{status}</p>
              </div>
            </li>
          ))}
        </ul>
      </Section>
    </BlockFrame>
  );
}
