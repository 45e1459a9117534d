import type { BlockOf } from '#contract/schemas/blocks.ts';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { LinkText } from '#web/blocks/link-text.tsx';

export type PictureItem = BlockOf<'imageInfo'>['items'][number];

/** The props of a layout that renders the whole block. */
export interface ItemsProps {
  items: readonly PictureItem[];
  title: string | null | undefined;
  /** The block opens the page. */
  first: boolean;
}

/** The link of an item; it covers the nearest positioned ancestor. SPEC §2: one that starts with http leaves the shop. */
export function ItemLink({ item: { title, link, linkLabel } }: { item: PictureItem }) {
  const t = useT();
  if (!link) return null;
  return (
    <p className="mt-3">
      <Link href={link} className="text-action after:absolute after:inset-0 group-hover:underline">
        <LinkText href={link}>{linkLabel || t('block.seeMoreOf', { name: title })}</LinkText>
      </Link>
    </p>
  );
}
