/** Formatted text as HTML and as a document of the editor, and whether going from one to the other keeps all of it. */
import { type Node as ContentNode, DOMParser as ContentParser, type Mark } from 'prosemirror-model';
import { blockNames, mixed, plainMark, schema, writtenAttributes } from './schema.ts';

export const parser = ContentParser.fromSchema(schema);
/** Blanks that HTML shows as one, or not at all. A no-break space is none of them. */
const blanks = /[ \t\r\n\f]+/g;

const bodyOf = (html: string): HTMLElement => new DOMParser().parseFromString(html, 'text/html').body;

/**
 * The document of formatted text, which is the same when it is written and read again.
 *
 * One reading moves blocks out of where they may not be, and a blank that is then at the end of a block is lost by the next.
 */
export function documentFrom(html: string): ContentNode {
  const read = readOnce(html);
  const written = htmlFrom(read);
  return written === html ? read : readOnce(written);
}

function readOnce(html: string): ContentNode {
  const body = bodyOf(html);
  // Preformatted text has no blocks in it; around them, its blanks would be kept by the parser and lost when it is read again.
  for (const pre of body.querySelectorAll('pre')) if ([...pre.childNodes].some(holdsBlock)) withoutPre(pre);
  for (const element of [body, ...body.querySelectorAll<HTMLElement>(mixed)])
    if (!element.closest('pre')) wrapBareText(element);
  return parser.parse(body);
}

function withoutPre(pre: HTMLElement): void {
  const box = pre.ownerDocument.createElement('div');
  box.append(...pre.childNodes);
  pre.replaceWith(box);
}

/** Word writes the items of lists as paragraphs with a sign in front. */
export function withLists(pasted: string): string {
  if (!pasted.includes('MsoListParagraph')) return pasted;
  const body = bodyOf(pasted);
  const made = new Set<Element>();
  for (const paragraph of body.querySelectorAll('p[class*="MsoListParagraph"]')) {
    const sign = paragraph.querySelector('[style*="Ignore"]');
    const name = /\w[.)]/.test(sign?.textContent ?? '') ? 'ol' : 'ul';
    sign?.remove();
    const before = paragraph.previousElementSibling;
    const goesOn = before?.localName === name && made.has(before);
    const list = goesOn ? before : body.ownerDocument.createElement(name);
    const item = body.ownerDocument.createElement('li');
    item.append(...paragraph.childNodes);
    if (goesOn) paragraph.remove();
    else paragraph.replaceWith(list);
    list.append(item);
    made.add(list);
  }
  return body.innerHTML;
}

/** The parser would make paragraphs of it. */
function wrapBareText(element: HTMLElement): void {
  let run: ChildNode[] = [];
  const wrap = () => {
    const isShown = run.some((node) => node.nodeName === 'BR' || node.nodeName === 'IMG' || isText(node));
    if (isShown || (element.childNodes.length === run.length && element.nodeName !== 'BODY')) {
      const box = element.ownerDocument.createElement('div');
      box.setAttribute(plainMark, '');
      if (run[0]) run[0].before(box);
      else element.append(box);
      box.append(...run);
    }
    run = [];
  };
  for (const node of [...element.childNodes]) {
    if (!holdsBlock(node)) run.push(node);
    else if (run.length > 0) wrap();
  }
  if (run.length > 0 || element.childNodes.length === 0) wrap();
}

const holdsBlock = (node: ChildNode): boolean =>
  blockNames.has((node as Partial<Element>).localName ?? '') || [...node.childNodes].some(holdsBlock);

const isText = ({ textContent }: ChildNode) => (textContent ?? '').replaceAll(blanks, '') !== '';

export const htmlOfParagraphs = (paragraphs: readonly string[]): string =>
  htmlFrom(
    schema.node(
      'doc',
      null,
      paragraphs.map((text) => schema.node('p', null, text === '' ? [] : [schema.text(text)])),
    ),
  );

/** As the server's sanitiser writes it, so that saving changes nothing. Empty for a document without content. */
export function htmlFrom(document: ContentNode): string {
  const only = document.childCount === 1 ? document.firstChild : null;
  return only && only.type === schema.nodes.p && only.childCount === 0 ? '' : childrenOf(document);
}

function childrenOf(node: ContentNode): string {
  if (node.inlineContent) return inlineOf(node);
  return node.children
    .map((child, index) => {
      if (child.type !== schema.nodes.plain) return elementOf(child);
      // Bare texts beside each other would become one.
      const isBeside = [index - 1, index + 1].some(
        (other) => node.maybeChild(other)?.type === schema.nodes.plain,
      );
      return isBeside ? `<p>${inlineOf(child)}</p>` : inlineOf(child);
    })
    .join('');
}

function elementOf(node: ContentNode): string {
  const { name } = node.type;
  if (node.isLeaf) return `<${name}${attributesOf(node)} />`;
  const content = childrenOf(node);
  // A line break at the start of `pre` is not shown.
  return `<${name}${attributesOf(node)}>${name === 'pre' && content.startsWith('\n') ? '\n' : ''}${content}</${name}>`;
}

function inlineOf(block: ContentNode): string {
  let html = '';
  const open: Mark[] = [];
  const closeTo = (count: number) => {
    while (open.length > count) html += `</${open.pop()?.type.name}>`;
  };
  block.forEach((node) => {
    const kept = open.findIndex((mark, index) => !node.marks[index]?.eq(mark));
    closeTo(kept < 0 ? open.length : kept);
    for (const mark of node.marks.slice(open.length)) {
      html += `<${mark.type.name}${attributesOf(mark)}>`;
      open.push(mark);
    }
    html += node.isText ? escaped(node.text ?? '') : elementOf(node);
  });
  closeTo(0);
  return html;
}

const attributesOf = (of: ContentNode | Mark) =>
  writtenAttributes(of)
    .map(([name, value]) => ` ${name}="${escaped(value).replaceAll('"', '&quot;')}"`)
    .join('');

let paper: HTMLElement | undefined;
function escaped(text: string): string {
  paper ??= bodyOf('');
  paper.textContent = text;
  return paper.innerHTML.replaceAll('&nbsp;', '\u00a0');
}

/** Whether the editor can show all of it: editing it then loses nothing. */
export function isWholeInEditor(html: string): boolean {
  return shownBy(html) === shownBy(htmlFrom(documentFrom(html)));
}

const sameAs: Readonly<Record<string, string>> = { b: 'strong', i: 'em' };
/** Twice is more than once. */
const adding = new Set(['small', 'sub', 'sup']);

/** What a reader gets to see: the blocks, and the texts with their formats, in whatever order these enclose each other. */
export function shownBy(html: string): string {
  const out: { text: string; formats: string | null }[] = [];
  const tag = (text: string) => out.push({ text, formats: null });
  let isAtStart = true;
  const breakLine = () => {
    const last = out.at(-1);
    if (last?.formats != null && !isKept) last.text = last.text.replace(/ $/, '');
    if (last?.text === '') out.pop();
    isAtStart = true;
  };
  let isKept = false;
  const put = (data: string, formats: string) => {
    const text = isKept ? data : data.replaceAll(blanks, ' ').replace(isAtStart ? /^ / : /^(?!)/, '');
    if (text === '') return;
    isAtStart = text.endsWith(' ');
    const last = out.at(-1);
    if (last?.formats === formats) last.text += text;
    else out.push({ text, formats });
  };
  const walk = (node: Node, formats: readonly string[]): void => {
    if (node.nodeType === 3) {
      put((node as Text).data, formats.join());
      return;
    }
    const element = node as Element;
    const name = element.localName;
    const attributes = [...element.attributes]
      .filter(({ value }) => value !== '')
      .map(({ name: key, value }) => `${key}=${value}`);
    const said = [sameAs[name] ?? name, ...attributes.sort()].join(' ');
    const inside = (next: readonly string[]) => element.childNodes.forEach((child) => void walk(child, next));
    const isBlock = blockNames.has(name);
    if (isBlock || name === 'br') breakLine();
    if (name === 'br' || name === 'img' || name === 'hr') {
      if (name === 'img') isAtStart = false;
      tag(`<${said}${name === 'img' ? ` ${formats.join()}` : ''}>`);
    } else if (isBlock || name === 'q') {
      const before = isKept;
      isKept ||= name === 'pre';
      tag(`<${said}>`);
      inside(formats);
      if (isBlock) breakLine();
      tag(`</${name}>`);
      isKept = before;
    } else {
      const isNone = said === 'a' || (formats.includes(said) && !adding.has(name));
      inside(isNone ? formats : [...formats, said].sort());
    }
  };
  bodyOf(html).childNodes.forEach((child) => void walk(child, []));
  breakLine();
  // A document without content begins with an empty paragraph.
  if (out.every(({ text }) => text === '<p>' || text === '</p>')) return '';
  return out.map(({ text, formats }) => (formats ? `${text}{${formats}}` : text)).join('\u0000');
}
