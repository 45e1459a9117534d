/** What the buttons and keys of the editor do. */
import { baseKeymap, chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from 'prosemirror-commands';
import { keymap } from 'prosemirror-keymap';
import type { Node } from 'prosemirror-model';
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list';
import { type Command, type EditorState, Plugin, TextSelection } from 'prosemirror-state';
import { schema } from './schema.ts';

const { nodes, marks } = schema;

export type MarkName = 'strong' | 'em' | 'a';
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
    while (depth > 0 && $from.node(depth).type !== nodes.ul && $from.node(depth).type !== nodes.ol) depth -= 1;
    dispatch?.(tr.setNodeMarkup($from.before(depth), type));
    return depth > 0;
  };

/** The link at the cursor, from its first to its last letter, or what is selected. */
export function linkAt({ selection: { from, to, empty, $from } }: EditorState): { from: number; to: number; href: string } {
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
    const isLeft = transactions.some((each) => each.getMeta(fromOutside) || each.getMeta('composition') !== undefined);
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
