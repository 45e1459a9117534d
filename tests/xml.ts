/** Parses XML strictly, for tests: anything that is not well formed is an error. */

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** The text directly inside, without entities. */
  text: string;
}

const token =
  /<(?<end>\/)?(?<name>[A-Za-z][\w.-]*(?::[A-Za-z][\w.-]*)?)(?<attributes>(?:\s+[\w:.-]+="[^"<]*")*)\s*(?<empty>\/)?>|(?<text>[^<]+)/y;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#39': "'" };

/** @throws {Error} that names the place, if the text is not one well-formed element after an XML declaration */
export function parseXml(xml: string): XmlElement {
  if (/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u.test(xml))
    throw new Error('XML cannot have this character');
  const [declaration = ''] = /^<\?xml version="1\.0" encoding="UTF-8"\?>\n/.exec(xml) ?? [];
  if (!declaration) throw new Error('No XML declaration');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open: XmlElement[] = [root];
  for (let at = declaration.length; at < xml.length; at = token.lastIndex) {
    token.lastIndex = at;
    const groups = token.exec(xml)?.groups;
    if (!groups) throw new Error(`Not well formed: ${xml.slice(at, at + 80)}`);
    const inside = open.at(-1) ?? root;
    if (groups.text !== undefined) inside.text += decode(groups.text);
    else if (groups.end) {
      if (inside.name !== groups.name) throw new Error(`${groups.name} ends inside ${inside.name}`);
      open.pop();
    } else {
      const element = elementOf(groups.name ?? '', groups.attributes ?? '');
      inside.children.push(element);
      if (!groups.empty) open.push(element);
    }
  }
  const [only, ...more] = root.children;
  if (open.length > 1 || !only || more.length > 0 || root.text.trim() !== '')
    throw new Error('Not one whole element');
  return only;
}

function elementOf(name: string, attributes: string): XmlElement {
  const pairs = [...attributes.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
    key,
    decode(value),
  ]);
  return { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
}

function decode(text: string): string {
  return text.replaceAll(/&([^;]{0,6};)?/g, (entity, name = '') => {
    const character = entities[name.slice(0, -1)];
    if (character === undefined) throw new Error(`Unknown entity ${entity}`);
    return character;
  });
}
