/** Finds the calls of translating functions in a source, whatever they are called: by the first argument, which is a key. */
import { parseSync } from 'vite';

export interface MessageCall {
  /** More than one where an expression chooses. */
  keys: string[];
  /** The names of the values; null if the source does not show them. */
  given: string[] | null;
}

interface Node {
  type: string;
  [field: string]: unknown;
}

export function messageCalls(file: string, code: string): MessageCall[] {
  const calls: MessageCall[] = [];
  visit(parseSync(file, code).program as unknown as Node, (node) => {
    if (node.type !== 'CallExpression') return;
    const [first, second] = node.arguments as Node[];
    const keys = first ? literalsOf(first).filter((text) => /^[a-z]\w*(?:\.[\w-]+)+$/i.test(text)) : [];
    if (keys.length > 0) calls.push({ keys, given: namesOf(second) });
  });
  return calls;
}

/** The texts that an expression can be, as far as it writes them out. */
function literalsOf(node: Node): string[] {
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].flatMap((each) => literalsOf(each as Node));
  return [];
}

function namesOf(values: Node | undefined): string[] | null {
  if (!values) return [];
  if (values.type !== 'ObjectExpression') return null;
  const properties = values.properties as Node[];
  if (properties.some(({ type, computed }) => type !== 'Property' || computed === true)) return null;
  return properties.map(({ key }) => String((key as Node).name ?? (key as Node).value));
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value])
      if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node, see);
}
