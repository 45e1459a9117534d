/** What formatted text may hold: the elements that the server's sanitiser lets through, each under its own name. */
import {
  type Attrs,
  type Mark,
  type MarkSpec,
  type Node,
  type NodeSpec,
  Schema,
  type StyleParseRule,
  type TagParseRule,
} from 'prosemirror-model';

const attributes: Readonly<Record<string, readonly string[]>> = {
  ol: ['start'],
  th: ['scope', 'colspan', 'rowspan'],
  td: ['colspan', 'rowspan'],
  img: ['src', 'alt'],
  a: ['href', 'rel', 'title'],
  abbr: ['title'],
  time: ['datetime'],
};

/** In the order in which the editor takes them: an empty document begins with a paragraph, an item of a list with plain text. */
const blocks = {
  ...{ p: 'inline*', plain: 'inline*', h2: 'inline*', h3: 'inline*', h4: 'inline*', ul: 'li+', ol: 'li+', blockquote: 'block+' },
  ...{
    pre: 'inline*',
    hr: '',
    table: '(tbody | thead | tfoot | caption)+',
    dl: '(dt | dd)+',
    figure: '(plain | block | figcaption)+',
  },
};
/** Parts of blocks. */
const parts = {
  ...{ li: '(plain | block)+', dt: 'inline*', dd: '(plain | block)+', figcaption: 'inline*', caption: 'inline*' },
  ...{ thead: 'tr+', tbody: 'tr+', tfoot: 'tr+', tr: '(td | th)+', th: '(plain | block)+', td: '(plain | block)+' },
};
/** In the order in which they enclose each other. */
const markNames = ['a', 'q', 'cite', 'abbr', 'time', 'strong', 'em', 'u', 's', 'small', 'mark', 'sub', 'sup', 'code'] as const;

/** Elements that hold text beside blocks. Their bare text is in `plain`, which has no element of its own. */
export const mixed = 'body, li, dd, th, td, blockquote, figure';
export const blockNames = new Set<string>([...Object.keys(blocks), ...Object.keys(parts)]);
export const plainMark = 'data-plain';

const pictureFile = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:jpe?g|png|webp|avif)$/i;
/** A web address, an email address, a telephone number, or a page of the shop. */
export const isLink = (href: string): boolean => /^(?:https?:\/\/[^\s/]|mailto:\S|tel:\S|\/(?!\/)|#)/i.test(href);
/** What the sanitiser keeps, such as an address relative to the page. */
const isSafe = (href: string) => /^(?:(?:https?|mailto|tel):|(?![a-z][a-z\d.+-]*:|[/\\]{2}))/i.test(href.replaceAll(/\s+/g, ''));

const attrsOf = (name: string) => Object.fromEntries((attributes[name] ?? []).map((each) => [each, { default: null }]));
const read = (name: string, element: HTMLElement): Attrs =>
  Object.fromEntries((attributes[name] ?? []).map((each) => [each, element.getAttribute(each) || null]));

/** The attributes as they are written. A picture always says what it shows, if only that this is nothing. */
export function writtenAttributes({ type: { name }, attrs }: Node | Mark): [name: string, value: string][] {
  return (attributes[name] ?? []).flatMap((each) => {
    const value = attrs[each] as string | null;
    return value === null && each !== 'alt' ? [] : [[each, value ?? '']];
  });
}

const shown = (of: Node | Mark) => Object.fromEntries(writtenAttributes(of));

/** A page's only h1 is its title. Google Docs wraps what it copies into a `b` that is not bold. */
const alsoRead: Readonly<Record<string, readonly (TagParseRule | StyleParseRule)[]>> = {
  h2: [{ tag: 'h1' }],
  strong: [
    { tag: 'b', getAttrs: ({ style }: HTMLElement) => (style.fontWeight === 'normal' ? false : null) },
    { style: 'font-weight', getAttrs: (value: string) => (/^(?:bold(?:er)?|[6-9]00)$/.test(value) ? null : false) },
  ],
  em: [{ tag: 'i' }, { style: 'font-style=italic' }],
};

function nodeOf(name: string, content: string, group?: string): NodeSpec {
  return {
    ...(content ? { content } : {}),
    ...(group ? { group } : {}),
    attrs: attrsOf(name),
    code: name === 'pre',
    defining: name === 'li' || name === 'blockquote' || /^h\d$/.test(name),
    isolating: /^(?:t[dh]|caption|figcaption)$/.test(name),
    parseDOM: [
      { tag: name === 'plain' ? `div[${plainMark}]` : name, getAttrs: (element) => read(name, element) },
      ...((alsoRead[name] ?? []) as TagParseRule[]),
    ],
    toDOM: (node) =>
      name === 'plain' ? ['div', { [plainMark]: '' }, 0] : content ? [name, shown(node), 0] : [name, shown(node)],
  };
}

const nodesOf = <N extends string>(table: Readonly<Record<N, string>>, group?: string) =>
  Object.fromEntries(Object.entries<string>(table).map(([name, content]) => [name, nodeOf(name, content, group)])) as Record<
    N,
    NodeSpec
  >;

function markOf(name: string): MarkSpec {
  return {
    attrs: attrsOf(name),
    inclusive: name !== 'a',
    parseDOM: [
      {
        tag: name,
        getAttrs: (element) => {
          const attrs = read(name, element);
          return name === 'a' && !isSafe(String(attrs.href ?? '')) ? false : attrs;
        },
      },
      ...(alsoRead[name] ?? []),
    ],
    toDOM: (mark) => [name, shown(mark), 0],
  };
}

export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    ...nodesOf(blocks, 'block'),
    ...nodesOf(parts),
    text: { group: 'inline' },
    br: { group: 'inline', inline: true, selectable: false, parseDOM: [{ tag: 'br' }], toDOM: () => ['br'] },
    img: {
      group: 'inline',
      inline: true,
      draggable: true,
      attrs: attrsOf('img'),
      // Pictures of other sites would show them who reads the page.
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: (element) => (pictureFile.test(element.getAttribute('src') ?? '') ? read('img', element) : false),
        },
      ],
      toDOM: (node) => ['img', shown(node)],
    },
  },
  marks: Object.fromEntries(markNames.map((name) => [name, markOf(name)])) as Record<(typeof markNames)[number], MarkSpec>,
});
