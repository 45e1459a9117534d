import Type, { type Static, type TSchema } from 'typebox';
import { described } from '#contract/schemas/annotate.ts';
import { type BlockContext, type BlockForm, LinkTarget, shownForm, storedForm } from './define-block.ts';

export const pictureItem = <T extends TSchema, I extends TSchema>({ text, image }: BlockForm<T, I>) =>
  Type.Object({
    image,
    alt: described('What the image shows, for people who do not see it.', text),
    title: described('The heading.', text),
    text: described('The text under the heading.', text),
    link: described('Where the link leads; empty for no link.', LinkTarget),
    linkLabel: described('The text of the link.', text),
  });

const storedItem = pictureItem(storedForm);
const shownItem = pictureItem(shownForm);
type StoredItem = Static<typeof storedItem>;

/** The items in the page's language. Items whose image no longer exists are left out. */
export function presentPictureItems(items: readonly StoredItem[], { text, image }: BlockContext): Static<typeof shownItem>[] {
  return items.flatMap((item) => {
    const info = image(item.image);
    if (!info) return [];
    const { alt, title, text: words, link, linkLabel } = item;
    return [{ image: info, alt: text(alt), title: text(title), text: text(words), link, linkLabel: text(linkLabel) }];
  });
}
