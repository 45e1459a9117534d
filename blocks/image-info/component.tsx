import type { BlockOf } from '#contract/schemas/blocks.ts';
import type { BlockProps } from '#web/blocks/block-view.ts';
import { LinkText } from '#web/blocks/link-text.tsx';
import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { cx } from '#web/ui/cx.ts';
import { Frame } from '#web/ui/layout.tsx';
import { Picture } from '#web/ui/picture.tsx';

type Item = BlockOf<'imageInfo'>['items'][number];

const columns = ['', '', 'product:grid-cols-2', 'product:grid-cols-3'];

/** Images with a text and a link each. A single image is wide, with its text beside it. */
export function ImageInfoBlock({ block: { items }, first }: BlockProps<'imageInfo'>) {
  if (items.length === 0) return null;
  const [only] = items;
  return (
    <Frame className={first ? 'block-first' : 'section'}>
      {items.length === 1 && only ? (
        <WideItem item={only} priority={first} />
      ) : (
        <ul className={cx('grid gap-x-6 gap-y-12', columns[Math.min(items.length, 3)])}>
          {items.map((item) => (
            <li key={item.image.imageURL} className="group relative">
              <Picture image={item.image} alt={item.alt} shape="square" sizes="(min-width: 48rem) 32vw, 92vw" priority={first} />
              <Words item={item} />
            </li>
          ))}
        </ul>
      )}
    </Frame>
  );
}

function WideItem({ item, priority }: { item: Item; priority: boolean }) {
  return (
    <div className="group relative grid items-center gap-x-12 product:grid-cols-[3fr_2fr]">
      <Picture image={item.image} alt={item.alt} shape="wide" sizes="(min-width: 48rem) 60vw, 92vw" priority={priority} />
      <Words item={item} />
    </div>
  );
}

/** SPEC §2: a link that starts with http leaves the shop; `Link` handles that. */
function Words({ item: { title, text, link, linkLabel } }: { item: Item }) {
  const t = useT();
  return (
    <div className="mt-4 max-w-prose">
      <h2 className="text-xl">{title}</h2>
      {text && <p className="mt-2 text-ink-soft">{text}</p>}
      {link && (
        <p className="mt-3">
          <Link href={link} className="text-action after:absolute after:inset-0">
            <LinkText href={link}>{linkLabel || t('block.seeMoreOf', { name: title })}</LinkText>
          </Link>
        </p>
      )}
    </div>
  );
}
