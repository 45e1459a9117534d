import { useContext } from 'react';
import type { BlockOf } from '#contract/schemas/blocks.ts';
import { LinkButton } from '#ui/button.tsx';
import { cx } from '#ui/cx.ts';
import { useT } from '#ui/i18n.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, BlockId, type BlockProps, LinkText } from '#web/blocks/block-view.tsx';
import { Picture } from '#web/ui/picture.tsx';

const columns = ['', '', 'product:grid-cols-2', 'product:grid-cols-3'];

export function ImageInfoBlock({ block: { items, title, layout }, first }: BlockProps<'imageInfo'>) {
  if (items.length === 0) return null;
  if (layout === 'band') return <Bands items={items} title={title} first={first} />;
  if (layout === 'index') return <Index items={items} title={title} first={first} />;
  return (
    <BlockFrame className={first ? 'block-first' : 'section'}>
      {title && <h2 className="mb-6">{title}</h2>}
      {layout === 'steps' ? (
        <Steps items={items} titled={Boolean(title)} />
      ) : (
        <Columns items={items} titled={Boolean(title)} first={first} />
      )}
    </BlockFrame>
  );
}

/** A single image is wide, with its text beside it. */
function Columns({
  items,
  titled,
  first,
}: {
  items: readonly PictureItem[];
  titled: boolean;
  first: boolean;
}) {
  const [only] = items;
  return items.length === 1 && only ? (
    <div className="group relative grid items-center gap-x-12 product:grid-cols-[3fr_2fr]">
      <Picture
        image={only.image}
        alt={only.alt}
        shape="wide"
        sizes="(min-width: 48rem) 60vw, 92vw"
        priority={first}
      />
      <Words item={only} titled={titled} />
    </div>
  ) : (
    <ul className={cx('grid gap-x-6 gap-y-12', columns[Math.min(items.length, 3)])}>
      {items.map((item) => (
        <li key={item.image.imageURL} className="group relative">
          <Picture
            image={item.image}
            alt={item.alt}
            shape="square"
            sizes="(min-width: 48rem) 32vw, 92vw"
            priority={first}
          />
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

/** Each item from one edge of the window to the other: its image, and its words on the brand's deep colour. */
function Bands({ items, title, first }: ItemsProps) {
  return (
    <div data-block={useContext(BlockId)} className={first ? '' : 'section'}>
      {title && <h2 className="sr-only">{title}</h2>}
      {items.map((item) => (
        <Band key={item.image.imageURL} item={item} heading={title ? 'h3' : 'h2'} priority={first} />
      ))}
    </div>
  );
}

function Band({
  item,
  heading: Heading,
  priority,
}: {
  item: PictureItem;
  heading: 'h2' | 'h3';
  priority: boolean;
}) {
  const t = useT();
  const { image, alt, title, text, link, linkLabel } = item;
  return (
    <div className="grid bg-band text-on-band product:h-140 product:grid-cols-[7fr_5fr] product:grid-rows-1">
      <Picture
        image={image}
        alt={alt}
        sizes="(min-width: 48rem) 58vw, 100vw"
        priority={priority}
        className="h-72! rounded-none product:h-full!"
      />
      <div className="flex flex-col items-start justify-center gap-5 px-gutter py-12 product:max-w-frame-form">
        <Heading className="text-2xl">{title}</Heading>
        {text && <p className="max-w-[24em] text-lg">{text}</p>}
        {link && (
          <LinkButton
            href={link}
            variant="secondary"
            className="border-current! text-on-band! hover:bg-transparent!"
          >
            <LinkText href={link}>{linkLabel || t('block.seeMoreOf', { name: title })}</LinkText>
          </LinkButton>
        )}
      </div>
    </div>
  );
}

/** The contents of a page as small images, each a link to the part that its title names. */
function Index({ items, title, first }: ItemsProps) {
  return (
    <BlockFrame>
      <nav aria-label={title || undefined}>
        <ul className="grid grid-cols-3 gap-3 product:grid-cols-6 product:gap-6">
          {items.map(({ image, title: label, link }) => (
            <li key={image.imageURL}>
              <Link href={link} className="block hover:underline">
                <Picture
                  image={image}
                  shape="square"
                  sizes="(min-width: 48rem) 15vw, 30vw"
                  alt=""
                  priority={first}
                />
                <span className="mt-2 block leading-normal">{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </BlockFrame>
  );
}

const stepColumns = ['', '', 'product:grid-cols-2'];

function Steps({ items, titled }: { items: readonly PictureItem[]; titled: boolean }) {
  const Heading = titled ? 'h3' : 'h2';
  return (
    <ol className={cx('grid gap-x-8 gap-y-6', stepColumns[items.length] ?? 'product:grid-cols-3')}>
      {items.map((item, index) => (
        <li
          key={item.image.imageURL}
          className="group relative grid grid-cols-[2fr_3fr] items-center gap-x-5"
        >
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

type PictureItem = BlockOf<'imageInfo'>['items'][number];

interface ItemsProps {
  items: readonly PictureItem[];
  title: string | null | undefined;
  first: boolean;
}

/** The link of an item; it covers the nearest positioned ancestor. SPEC §2: one that starts with http leaves the shop. */
function ItemLink({ item: { title, link, linkLabel } }: { item: PictureItem }) {
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
