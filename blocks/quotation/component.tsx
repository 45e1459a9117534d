import { BlockFrame, type BlockProps } from '#web/blocks/block-view.tsx';
import { Picture } from '#web/ui/picture.tsx';

/** Words of somebody else, large and in the middle, with who said them below. */
export function QuotationBlock({ block: { words, author, role, portrait } }: BlockProps<'quotation'>) {
  if (words === '') return null;
  return (
    <BlockFrame className="section">
      <figure className="mx-auto max-w-[34em]">
        <blockquote className="text-balance font-serif text-xl product:text-2xl">
          {/* The marks are those of the language. */}
          <p className="whitespace-pre-line before:content-[open-quote] after:content-[close-quote]">
            {words}
          </p>
        </blockquote>
        {(author || role) && (
          <figcaption className="mt-6 flex items-center gap-4">
            {portrait && (
              <span className="w-14 flex-none overflow-hidden rounded-full">
                <Picture image={portrait} alt="" shape="square" sizes="3.5rem" />
              </span>
            )}
            <span>
              {author && <span className="block font-semibold">{author}</span>}
              {role && <span className="block text-ink-soft text-sm">{role}</span>}
            </span>
          </figcaption>
        )}
      </figure>
    </BlockFrame>
  );
}
