import { cx } from '#ui/cx.ts';
import { Frame } from '#ui/layout.tsx';
import type { BlockProps } from '#web/blocks/block-view.ts';
import { Picture } from '#web/ui/picture.tsx';
import { Bands } from './bands.tsx';
import { Index } from './index-row.tsx';
import { ItemLink, type PictureItem } from './item-link.tsx';
import { Steps } from './steps.tsx';

const columns = ['', '', 'product:grid-cols-2', 'product:grid-cols-3'];

/** Images with a text and a link each, in the layout that the merchant chose. */
export function ImageInfoBlock({ block: { items, title, layout }, first }: BlockProps<'imageInfo'>) {
  if (items.length === 0) return null;
  if (layout === 'band') return <Bands items={items} title={title} first={first} />;
  if (layout === 'index') return <Index items={items} title={title} first={first} />;
  return (
    <Frame className={first ? 'block-first' : 'section'}>
      {title && <h2 className="mb-6">{title}</h2>}
      {layout === 'steps' ? (
        <Steps items={items} titled={Boolean(title)} />
      ) : (
        <Columns items={items} titled={Boolean(title)} first={first} />
      )}
    </Frame>
  );
}

/** A single image is wide, with its text beside it. */
function Columns({ items, titled, first }: { items: readonly PictureItem[]; titled: boolean; first: boolean }) {
  const [only] = items;
  return items.length === 1 && only ? (
    <div className="group relative grid items-center gap-x-12 product:grid-cols-[3fr_2fr]">
      <Picture image={only.image} alt={only.alt} shape="wide" sizes="(min-width: 48rem) 60vw, 92vw" priority={first} />
      <Words item={only} titled={titled} />
    </div>
  ) : (
    <ul className={cx('grid gap-x-6 gap-y-12', columns[Math.min(items.length, 3)])}>
      {items.map((item) => (
        <li key={item.image.imageURL} className="group relative">
          <Picture image={item.image} alt={item.alt} shape="square" sizes="(min-width: 48rem) 32vw, 92vw" priority={first} />
          <Words item={item} titled={titled} />
        </li>
      ))}
    </ul>
  );
}

function Words({ item, titled }: { item: PictureItem; titled: boolean }) {
  const { title, text } = item;
  const Heading = titled ? 'h3' : 'h2';
  return (
    <div className="mt-4 max-w-prose">
      <Heading className="text-xl">{title}</Heading>
      {text && <p className="mt-2 text-ink-soft">{text}</p>}
      <ItemLink item={item} />
    </div>
  );
}
