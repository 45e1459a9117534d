/** Finds the titles of the project's tests, and those that do not read alone in a log. */
import { parseSync } from 'vite';

export interface TestTitle {
  /** Path and line, such as `server/http/pages.test.ts:62`. */
  at: string;
  /** The literal's text. A placeholder such as `%s` or `${path}` stays as it is written. */
  text: string;
}

/**
 * The titles of `it`, `test` and `test.step` in a source, also by `.each` and `.runIf`, in the order of the file. Titles that are
 * no literals are left out, and so are the names of `describe`.
 * @throws {Error} if the source cannot be parsed
 */
export function testTitlesIn(path: string, source: string): TestTitle[] {
  const found: TestTitle[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const node = value as Node;
    const title = isTestCall(node) ? node.arguments?.[0] : undefined;
    if (title && titleTypes.includes(title.type ?? '')) {
      const text = source.slice((title.start ?? 0) + 1, (title.end ?? 0) - 1);
      found.push({ at: `${path}:${source.slice(0, title.start).split('\n').length}`, text });
    }
    for (const child of Object.values(node)) visit(child);
  };
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  visit(program);
  return found;
}

/** Why a title does not read alone, such as `starts with "is"`; null for one that does. */
export function titleProblem(title: string): string | null {
  const [first = ''] = /^[\w-]*/.exec(title) ?? [];
  return withoutSubject.has(first.toLowerCase()) ? `starts with "${first}"` : null;
}

interface Node {
  type?: string;
  name?: string;
  start?: number;
  end?: number;
  callee?: Node;
  object?: Node;
  property?: Node;
  arguments?: Node[];
}

const titleTypes = ['Literal', 'TemplateLiteral'];

/** `it('…', run)` and `test.each(rows)('…', run)`, but neither `test.each(rows)` itself nor `test.use(options)`. */
function isTestCall({ type, callee, arguments: given = [] }: Node): boolean {
  if (type !== 'CallExpression' || given.length < 2 || !callee) return false;
  const path = callPath(callee);
  const last = callee.type === 'MemberExpression' ? callee.property?.name : undefined;
  return (
    ['it', 'test'].includes(path[0] ?? '') &&
    !path.includes('describe') &&
    !['each', 'runIf', 'skip'].includes(last ?? '')
  );
}

/** The names of a callee from left to right: `test.each(rows)` is `['test', 'each']`. */
function callPath({ type, name, callee, object, property }: Node): string[] {
  if (type === 'CallExpression' && callee) return callPath(callee);
  if (type === 'MemberExpression' && object) return [...callPath(object), property?.name ?? ''];
  return name ? [name] : [];
}

/** First words of a title that has no subject: auxiliaries, joining words, and verbs in the third person. */
const withoutSubject = new Set(
  [
    'am are can cannot could did do does had has have is may might must should was were will would',
    'about and as at because behind but by except for from how if in of once or over past that there unless what whatever',
    'when where which who whose with without',
    'accepts adds allows answers applies asks becomes begins brings buys carries chooses comes',
    'completes contains corrects counts creates cuts declines deletes denies does drops ends escapes expires fails falls fills',
    'finds fits folds follows forgets gets gives goes happens ignores joins keeps knows lasts leads leaves lets loads',
    'makes marks meets migrates moves needs never offers opens outlives passes pays places prints promises puts reaches reads',
    'refuses registers rejects relates removes renders renews repeats replaces reserves rotates rounds runs',
    'says sees sells sends serves sets settles shares shows signs slows speaks stands starts stays stops succeeds',
    'suggests survives takes talks tells throws tries turns uses voids waits works writes',
  ].flatMap((line) => line.split(' ')),
);
