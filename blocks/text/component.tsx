import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { TitleBeside } from '#web/blocks/title-beside.tsx';
import { RichText } from '#web/ui/rich-text.tsx';

/** Links, such as those of an index, lead to it by the block's id. */
export function TextBlock({ block }: BlockProps<'text'>) {
  const { id, title, style } = block;
  return style === 'statement' ? (
    <BlockFrame className="section text-balance break-keep text-center font-serif text-xl product:text-2xl">
      <div className="prose mx-auto max-w-[24em]!">
        {title && <h2>{title}</h2>}
        <Words block={block} />
      </div>
    </BlockFrame>
  ) : (
    <TitleBeside id={id} title={title} className="prose text-lg">
      <Words block={block} />
    </TitleBeside>
  );
}

function Words({ block: { paragraphs, items, html } }: Pick<BlockProps<'text'>, 'block'>) {
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
      {html && <RichText html={html} />}
    </>
  );
}
