import { cx } from '#ui/cx.ts';
import { Picture } from '#web/ui/picture.tsx';
import { ItemLink, type PictureItem } from './item-link.tsx';

const columns = ['', '', 'product:grid-cols-2'];

/** Numbered steps, each with a small image beside its words. */
export function Steps({ items, titled }: { items: readonly PictureItem[]; titled: boolean }) {
  const Heading = titled ? 'h3' : 'h2';
  return (
    <ol className={cx('grid gap-x-8 gap-y-6', columns[items.length] ?? 'product:grid-cols-3')}>
      {items.map((item, index) => (
        <li key={item.image.imageURL} className="group relative grid grid-cols-[2fr_3fr] items-center gap-x-5">
          <Picture image={item.image} alt={item.alt} shape="square" sizes="(min-width: 48rem) 13vw, 37vw" />
          <div>
            <Heading className="text-xl">
              <span className="text-ink-soft">{index + 1}</span> {item.title}
            </Heading>
            {item.text && <p className="mt-1 text-ink-soft text-sm">{item.text}</p>}
            <ItemLink item={item} />
          </div>
        </li>
      ))}
    </ol>
  );
}
