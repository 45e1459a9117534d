import { useQuery } from '@tanstack/react-query';
import { inLocale } from '#contract/locales.ts';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { useLocale } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { useApi } from '#web/lib/api.ts';
import { urls } from '#web/lib/urls.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { menuPicksQuery } from './queries.ts';

interface MenuPicksProps {
  category: string | undefined;
  picture: ImageInfo | undefined;
}

/** Beside the names in a panel. It loads when the panel opens, and takes no space before. */
export function MenuPicks({ category, picture }: MenuPicksProps) {
  if (category) return <Picks category={category} />;
  return (
    picture && (
      <li className="absolute top-6 right-(--edge) w-80">
        <Picture image={picture} alt="" shape="wide" sizes="320px" />
      </li>
    )
  );
}

/** The first products of a category. */
function Picks({ category }: { category: string }) {
  const locale = useLocale();
  const { data } = useQuery(menuPicksQuery(useApi(), category));
  if (!data?.products.length) return null;
  return (
    <li className="absolute top-6 right-(--edge)">
      <ul className="flex gap-6">
        {data.products.map(({ id, nameContent, mediaInfo: { imageInfos }, priceInfo }) => (
          <li key={id} className="w-40 max-wide:nth-4:hidden">
            <Link href={urls.product(id)} className="group block">
              {imageInfos[0] && <Picture image={imageInfos[0]} alt="" shape="square" sizes="160px" />}
              <span className="mt-2 line-clamp-2 text-sm leading-[1.3] group-hover:underline">
                {inLocale(nameContent, locale)}
              </span>
              <Price priceInfo={priceInfo} />
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
