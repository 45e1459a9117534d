import { cx } from '#ui/cx.ts';
import { Frame, Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { type BlockProps, LinkText } from '#web/blocks/block-view.tsx';

/** The brand's light surfaces in turn, so that neighbours differ. */
const tones = ['bg-action-tint', 'bg-clay-tint', 'bg-surface-inset'];
const columns = ['', '', 'product:grid-cols-2', 'product:grid-cols-3', 'product:grid-cols-2 menu:grid-cols-4'];
const tileClass = 'group flex min-h-26 flex-col justify-end rounded-md p-5 text-ink product:min-h-44 product:p-8';

export function LinkTilesBlock({ block: { title, tiles } }: BlockProps<'linkTiles'>) {
  if (tiles.length === 0) return null;
  return (
    <Frame>
      <Section title={title}>
        <ul className={cx('grid gap-3 product:gap-6', columns[tiles.length] ?? 'product:grid-cols-3')}>
          {tiles.map(({ label, text, link }, index) => (
            <li key={link + label}>
              <Link href={link} className={cx(tileClass, tones[index % tones.length])}>
                <span className="font-serif text-2xl group-hover:underline group-hover:decoration-1">
                  <LinkText href={link}>{label}</LinkText>
                </span>
                {text && <span className="mt-1 text-ink-soft">{text}</span>}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </Frame>
  );
}
