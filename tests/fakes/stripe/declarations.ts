/** Parses interfaces, types and namespaces of a TypeScript declaration file, as far as Stripe's SDK uses the language. */

export type TypeNode =
  | { kind: 'literal'; text: string }
  | { kind: 'union'; of: TypeNode[] }
  | { kind: 'interface'; body: Interface }
  /** A name with its type arguments: 'string', 'Array', 'RefundCreateParams.Reason'. */
  | { kind: 'reference'; name: string; of: TypeNode[] };

export interface Interface {
  parents: string[];
  fields: Map<string, { type: TypeNode; optional: boolean }>;
  /** The type of `[name: string]: …`; null if there is none. */
  index: TypeNode | null;
}

/** Types by their full names, such as 'PaymentIntentCreateParams.Shipping'. */
export type Declarations = ReadonlyMap<string, TypeNode>;

const token = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|=>|[\w$]+|\S/g;

/** Parses the text of a declaration file. @throws {Error} for unknown syntax inside a type that it reads */
export function parseDeclarations(text: string): Declarations {
  const tokens = text.match(token)?.filter((each) => !each.startsWith('/*') && !each.startsWith('//')) ?? [];
  const parser = new Parser(tokens);
  parser.statements('');
  return parser.found;
}

class Parser {
  readonly found = new Map<string, TypeNode>();
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  statements(scope: string): void {
    const named = () => (scope === '' ? this.#next() : `${scope}.${this.#next()}`);
    while (this.#at < this.#tokens.length && !this.#take('}')) {
      if (this.#take('export') || this.#take('declare') || this.#take(';')) continue;
      if (this.#take('namespace')) {
        const name = named();
        this.#expect('{');
        this.statements(name);
      } else if (this.#take('interface')) {
        const name = named();
        this.#skipParameters();
        const parents = this.#take('extends') ? this.#names() : [];
        this.found.set(name, { kind: 'interface', body: this.#members(parents) });
      } else if (this.#take('type')) {
        const name = named();
        this.#skipParameters();
        this.#expect('=');
        this.found.set(name, this.#type());
      } else this.#skipStatement();
    }
  }

  #type(): TypeNode {
    this.#take('|');
    const of = [this.#intersection()];
    while (this.#take('|')) of.push(this.#intersection());
    const [only, ...others] = of;
    return only && others.length === 0 ? only : { kind: 'union', of };
  }

  /** Only the first part of an intersection counts: the only one in the SDK is `string & Record<never, never>`. */
  #intersection(): TypeNode {
    let type = this.#primary();
    while (this.#take('[')) {
      this.#expect(']');
      type = { kind: 'reference', name: 'Array', of: [type] };
    }
    if (this.#take('&')) this.#intersection();
    return type;
  }

  #primary(): TypeNode {
    if (this.#peek() === '{') return { kind: 'interface', body: this.#members([]) };
    if (this.#take('(')) {
      const type = this.#type();
      this.#expect(')');
      return type;
    }
    const word = this.#next();
    if (/^['"]/.test(word)) return { kind: 'literal', text: word.slice(1, -1) };
    if (/^\d/.test(word)) return { kind: 'literal', text: word };
    if (!/^[\w$]+$/.test(word)) throw new Error(`No type begins with ${word}`);
    let name = word;
    while (this.#take('.')) name += `.${this.#next()}`;
    const of: TypeNode[] = [];
    if (this.#take('<')) {
      do of.push(this.#type());
      while (this.#take(','));
      this.#expect('>');
    }
    return { kind: 'reference', name, of };
  }

  #members(parents: string[]): Interface {
    const body: Interface = { parents, fields: new Map(), index: null };
    this.#expect('{');
    while (!this.#take('}')) {
      this.#take('readonly');
      if (this.#take('[')) {
        while (!this.#take(']')) this.#next();
        this.#expect(':');
        body.index = this.#type();
      } else {
        const name = this.#next().replace(/^['"]|['"]$/g, '');
        const optional = this.#take('?');
        this.#expect(':');
        body.fields.set(name, { type: this.#type(), optional });
      }
      this.#take(';');
    }
    return body;
  }

  #names(): string[] {
    const names: string[] = [];
    do {
      const type = this.#primary();
      if (type.kind === 'reference') names.push(type.name);
    } while (this.#take(','));
    return names;
  }

  #skipParameters(): void {
    if (!this.#take('<')) return;
    for (let depth = 1; depth > 0; ) {
      const next = this.#next();
      depth += next === '<' ? 1 : next === '>' ? -1 : 0;
    }
  }

  /** Skips to the end of an import, class, function or constant. */
  #skipStatement(): void {
    const block = /^(class|function|abstract)$/.test(this.#peek());
    for (let depth = 0; this.#at < this.#tokens.length; ) {
      const next = this.#next();
      if (next === '{') depth += 1;
      if (next === '}') depth -= 1;
      if (depth === 0 && (next === ';' || (block && next === '}'))) return;
    }
  }

  #peek(): string {
    return this.#tokens[this.#at] ?? '';
  }

  #next(): string {
    const next = this.#tokens[this.#at];
    if (next === undefined) throw new Error('The declarations end in the middle of one');
    this.#at += 1;
    return next;
  }

  #take(wanted: string): boolean {
    if (this.#tokens[this.#at] !== wanted) return false;
    this.#at += 1;
    return true;
  }

  #expect(wanted: string): void {
    const next = this.#next();
    if (next !== wanted)
      throw new Error(
        `${wanted} expected, not ${next}, after ${this.#tokens.slice(this.#at - 8, this.#at - 1).join(' ')}`,
      );
  }
}
