import { useT } from '#ui/i18n.tsx';
import { LinkButton } from '#ui/link-button.tsx';
import { LinkText } from '#web/blocks/link-text.tsx';
import { Picture } from '#web/ui/picture.tsx';
import type { ItemsProps, PictureItem } from './item-link.tsx';

/** Each item from one edge of the window to the other: its image, and its words on the brand's deep colour. */
export function Bands({ items, title, first }: ItemsProps) {
  return (
    <div className={first ? '' : 'section'}>
      {title && <h2 className="sr-only">{title}</h2>}
      {items.map((item) => (
        <Band key={item.image.imageURL} item={item} heading={title ? 'h3' : 'h2'} priority={first} />
      ))}
    </div>
  );
}

function Band({ item, heading: Heading, priority }: { item: PictureItem; heading: 'h2' | 'h3'; priority: boolean }) {
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
          <LinkButton href={link} variant="secondary" className="border-current! text-on-band! hover:bg-transparent!">
            <LinkText href={link}>{linkLabel || t('block.seeMoreOf', { name: title })}</LinkText>
          </LinkButton>
        )}
      </div>
    </div>
  );
}
