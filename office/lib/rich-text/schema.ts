/** What formatted text may hold: the elements that the server's sanitiser lets through, each under its own name. */
import {
  baseKeymap,
  chainCommands,
  exitCode,
  lift,
  setBlockType,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands';
import { keymap } from 'prosemirror-keymap';
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
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, Plugin, TextSelection } from 'prosemirror-state';

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
  p: 'inline*',
  plain: 'inline*',
  h2: 'inline*',
  h3: 'inline*',
  h4: 'inline*',
  ul: 'li+',
  ol: 'li+',
  blockquote: 'block+',
  pre: 'inline*',
  hr: '',
  table: '(tbody | thead | tfoot | caption)+',
  dl: '(dt | dd)+',
  figure: '(plain | block | figcaption)+',
};
/** Parts of blocks. */
const parts = {
  li: '(plain | block)+',
  dt: 'inline*',
  dd: '(plain | block)+',
  figcaption: 'inline*',
  caption: 'inline*',
  thead: 'tr+',
  tbody: 'tr+',
  tfoot: 'tr+',
  tr: '(td | th)+',
  th: '(plain | block)+',
  td: '(plain | block)+',
};
/** In the order in which they enclose each other. */
const markNames = [
  'a',
  'q',
  'cite',
  'abbr',
  'time',
  'strong',
  'em',
  'u',
  's',
  'small',
  'mark',
  'sub',
  'sup',
  'code',
] as const;

/** Elements that hold text beside blocks. Their bare text is in `plain`, which has no element of its own. */
export const mixed = 'body, li, dd, th, td, blockquote, figure';
export const blockNames = new Set<string>([...Object.keys(blocks), ...Object.keys(parts)]);
export const plainMark = 'data-plain';

const pictureFile = /^[A-Za-z0-9][A-Za-z0-9._-]*\.(?:jpe?g|png|webp|avif)$/i;
/** A web address, an email address, a telephone number, or a page of the shop. */
export const isLink = (href: string): boolean =>
  /^(?:https?:\/\/[^\s/]|mailto:\S|tel:\S|\/(?!\/)|#)/i.test(href);
/** What the sanitiser keeps, such as an address relative to the page. */
const isSafe = (href: string) =>
  /^(?:(?:https?|mailto|tel):|(?![a-z][a-z\d.+-]*:|[/\\]{2}))/i.test(href.replaceAll(/\s+/g, ''));

const attrsOf = (name: string) =>
  Object.fromEntries((attributes[name] ?? []).map((each) => [each, { default: null }]));
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
    {
      style: 'font-weight',
      getAttrs: (value: string) => (/^(?:bold(?:er)?|[6-9]00)$/.test(value) ? null : false),
    },
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
      name === 'plain'
        ? ['div', { [plainMark]: '' }, 0]
        : content
          ? [name, shown(node), 0]
          : [name, shown(node)],
  };
}

const nodesOf = <N extends string>(table: Readonly<Record<N, string>>, group?: string) =>
  Object.fromEntries(
    Object.entries<string>(table).map(([name, content]) => [name, nodeOf(name, content, group)]),
  ) as Record<N, NodeSpec>;

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
          getAttrs: (element) =>
            pictureFile.test(element.getAttribute('src') ?? '') ? read('img', element) : false,
        },
      ],
      toDOM: (node) => ['img', shown(node)],
    },
  },
  marks: Object.fromEntries(markNames.map((name) => [name, markOf(name)])) as Record<
    (typeof markNames)[number],
    MarkSpec
  >,
});

const { nodes, marks } = schema;

type MarkName = 'strong' | 'em' | 'a';
export type BlockName = 'h3' | 'h4' | 'ul' | 'ol' | 'blockquote';

export function hasMark({ selection, storedMarks, doc }: EditorState, name: MarkName): boolean {
  const type = marks[name];
  const { from, to, empty, $from } = selection;
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type);
}

/** The nearest list, quotation or heading around the cursor that has this name; of lists, the innermost only. */
export function isIn({ selection: { $from } }: EditorState, name: BlockName): boolean {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const around = $from.node(depth).type.name;
    if (around === name) return true;
    if ((around === 'ul' || around === 'ol') && (name === 'ul' || name === 'ol')) return false;
  }
  return false;
}

export const toggled = (name: Exclude<MarkName, 'a'>): Command => toggleMark(marks[name]);

export const toggledBlock =
  (name: BlockName): Command =>
  (state, dispatch) => {
    const type = nodes[name];
    const isOn = isIn(state, name);
    if (name === 'h3' || name === 'h4') return setBlockType(isOn ? nodes.p : type)(state, dispatch);
    if (name === 'blockquote') return (isOn ? lift : wrapIn(type))(state, dispatch);
    if (isOn) return liftListItem(nodes.li)(state, dispatch);
    if (isIn(state, name === 'ul' ? 'ol' : 'ul')) return changedList(type)(state, dispatch);
    return wrapInList(type)(
      state,
      dispatch && ((tr) => dispatch(tr.setBlockType(tr.selection.from, tr.selection.to, nodes.plain))),
    );
  };

const changedList =
  (type: typeof nodes.ul): Command =>
  ({ selection: { $from }, tr }, dispatch) => {
    let depth = $from.depth;
    while (depth > 0 && $from.node(depth).type !== nodes.ul && $from.node(depth).type !== nodes.ol)
      depth -= 1;
    dispatch?.(tr.setNodeMarkup($from.before(depth), type));
    return depth > 0;
  };

/** The link at the cursor, from its first to its last letter, or what is selected. */
export function linkAt({ selection: { from, to, empty, $from } }: EditorState): {
  from: number;
  to: number;
  href: string;
} {
  const at = (offset: number) => $from.parent.maybeChild(offset)?.marks.find(({ type }) => type === marks.a);
  const mark = at($from.index()) ?? ($from.textOffset === 0 && empty ? at($from.index() - 1) : undefined);
  if (!mark) return { from, to, href: '' };
  let [start, end] = [Infinity, 0];
  $from.parent.forEach((child, offset) => {
    if (!mark.isInSet(child.marks)) return;
    const first = $from.start() + offset;
    // Another link with the same address further on is not this one.
    if (first > Math.max($from.pos, end)) return;
    if (first > end) start = first;
    start = Math.min(start, first);
    end = first + child.nodeSize;
  });
  return { from: Math.min(start, from), to: Math.max(end, to), href: String(mark.attrs.href ?? '') };
}

/** An empty address takes the link away. Where nothing is selected, the address is written out. */
export function linked({ from, to }: { from: number; to: number }, href: string): Command {
  return ({ tr }, dispatch) => {
    if (href !== '' && from === to) {
      const text = href.replace(/^(?:mailto|tel):/, '');
      tr.insert(from, schema.text(text, [marks.a.create({ href })]));
    } else {
      tr.removeMark(from, to, marks.a);
      if (href !== '') tr.addMark(from, to, marks.a.create({ href }));
      tr.setSelection(TextSelection.create(tr.doc, to));
    }
    dispatch?.(tr.removeStoredMark(marks.a).scrollIntoView());
    return true;
  };
}

const brokenLine: Command = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.br.create()).scrollIntoView());
  return true;
});

/** What other tabs, other people and "Undo" change. It is no edit. */
export const fromOutside = 'from-outside';

const isLoose = (node: Node, parent: Node | null) =>
  node.type === nodes.plain && (parent?.type === nodes.doc || parent?.type === nodes.blockquote);

/** Outside of lists and tables, bare text that somebody edits becomes a paragraph. */
const noLooseText = new Plugin({
  appendTransaction(transactions, _before, { doc, selection: { from, to }, tr }) {
    // A change of the element would end what an input method is composing.
    const isLeft = transactions.some(
      (each) => each.getMeta(fromOutside) || each.getMeta('composition') !== undefined,
    );
    if (isLeft || !transactions.some(({ docChanged }) => docChanged)) return null;
    doc.nodesBetween(from, to, (node, at, parent) => {
      if (isLoose(node, parent)) tr.setNodeMarkup(at, nodes.p);
    });
    return tr.docChanged ? tr : null;
  },
});

/** Without a history: steps back are those of the whole form. */
export const plugins = (onLink: () => void) => [
  keymap({
    'Mod-b': toggled('strong'),
    'Mod-i': toggled('em'),
    'Mod-k': () => {
      onLink();
      return true;
    },
    'Mod-]': sinkListItem(nodes.li),
    'Mod-[': liftListItem(nodes.li),
    'Shift-Enter': brokenLine,
    'Mod-Enter': brokenLine,
    Enter: splitListItem(nodes.li),
  }),
  keymap(baseKeymap),
  noLooseText,
];
