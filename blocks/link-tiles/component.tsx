import { cx } from '#ui/cx.ts';
import { Section } from '#ui/layout.tsx';
import { Link } from '#ui/link.tsx';
import { BlockFrame, type BlockProps, LinkText } from '#web/blocks/block-view.tsx';
import { Picture } from '#web/ui/picture.tsx';

/** The brand's light surfaces in turn, so that neighbours differ. */
const tones = ['bg-action-tint', 'bg-clay-tint', 'bg-surface-inset'];
const tileSizes = '(min-width: 60rem) 22vw, 46vw';
const columns = [
  '',
  '',
  'product:grid-cols-2',
  'product:grid-cols-3',
  'product:grid-cols-2 menu:grid-cols-4',
];
const tileClass = 'group flex flex-col justify-end overflow-hidden rounded-md text-ink';
const wordsClass = {
  plain: 'flex min-h-26 flex-col justify-end p-5 product:min-h-44 product:p-8',
  pictured: 'flex flex-1 flex-col p-4 product:p-6',
};

/** Tiles with pictures stand two in a row on phones: they are squares. */
export function LinkTilesBlock({ block: { title, tiles } }: BlockProps<'linkTiles'>) {
  if (tiles.length === 0) return null;
  const pictured = tiles.some(({ image }) => image);
  return (
    <BlockFrame>
      <Section title={title}>
        <ul
          className={cx(
            'grid gap-3 product:gap-6',
            pictured && 'grid-cols-2',
            columns[tiles.length] ?? 'product:grid-cols-3',
          )}
        >
          {tiles.map(({ label, text, link, image }, index) => (
            <li key={link + label}>
              <Link href={link} className={cx(tileClass, pictured && 'h-full', tones[index % tones.length])}>
                {image && (
                  <Picture image={image} shape="square" sizes={tileSizes} alt="" className="rounded-none" />
                )}
                <span className={image ? wordsClass.pictured : wordsClass.plain}>
                  <span
                    className={cx(
                      'font-serif group-hover:underline group-hover:decoration-1',
                      image ? 'text-xl product:text-2xl' : 'text-2xl',
                    )}
                  >
                    <LinkText href={link}>{label}</LinkText>
                  </span>
                  {text && <span className="mt-1 text-ink-soft">{text}</span>}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </BlockFrame>
  );
}
