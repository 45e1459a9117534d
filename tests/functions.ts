/** Finds the functions of a file and how long they are. */
import { parseAst } from 'vite';

export interface FoundFunction {
  /** Its own name, or that of what it is assigned to or written in; '' for none. */
  name: string;
  lines: number;
}

/** The functions of a file in the order in which they begin, also those inside others. @throws {SyntaxError} if it cannot be parsed */
export function functionsOf(text: string, path: string): FoundFunction[] {
  const found: FoundFunction[] = [];
  const visit = (node: unknown, name: string) => {
    if (Array.isArray(node)) for (const each of node) visit(each, name);
    else if (isNode(node)) {
      const inner = nameOf(node) ?? name;
      if (functionTypes.has(node.type)) found.push({ name: inner, lines: text.slice(node.start, node.end).split('\n').length });
      for (const child of Object.values(node)) visit(child, inner);
    }
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path).body, '');
  return found;
}

const functionTypes = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

interface SyntaxNode {
  type: string;
  /** Offsets in the text. */
  start: number;
  end: number;
  /** Of a declaration. */
  id?: unknown;
  /** Of a property or method. */
  key?: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nameOf({ id, key }: SyntaxNode): string | undefined {
  const named = id ?? key;
  return typeof named === 'object' && named !== null && 'name' in named && typeof named.name === 'string'
    ? named.name
    : undefined;
}
