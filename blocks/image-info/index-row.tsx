import { Frame } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { Picture } from '#web/ui/picture.tsx';
import type { ItemsProps } from './item-link.tsx';

/** The contents of a page as small images, each a link to the part that its title names. */
export function Index({ items, title, first }: ItemsProps) {
  return (
    <Frame>
      <nav aria-label={title || undefined}>
        <ul className="grid grid-cols-3 gap-3 product:grid-cols-6 product:gap-6">
          {items.map(({ image, title: label, link }) => (
            <li key={image.imageURL}>
              <Link href={link} className="block hover:underline">
                <Picture image={image} shape="square" sizes="(min-width: 48rem) 15vw, 30vw" alt="" priority={first} />
                <span className="mt-2 block leading-normal">{label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Frame>
  );
}
