/** Leaves out of libraries, in a build, what no page uses: every first view would load it. See decision 292. */
import { type Plugin, parseAst } from 'vite';

/** The kinds of React's nodes that no page has, by React's number for them. */
const unusedTags: ReadonlySet<unknown> = new Set([
  19, // SuspenseList
  30, // ViewTransition: the router asks the browser itself
  31, // Activity
]);

/** The same kinds as React names them where it makes a node. Rendering one is an error without them. */
const unusedTypes: ReadonlySet<string> = new Set([
  'REACT_ACTIVITY_TYPE',
  'REACT_LEGACY_HIDDEN_TYPE',
  'REACT_SUSPENSE_LIST_TYPE',
  'REACT_VIEW_TRANSITION_TYPE',
]);

/** Classes whose objects a page gets only by a component of these kinds, or by a ref on a Fragment. */
const unusedClasses: ReadonlySet<string> = new Set(['FragmentInstance', 'ViewTransitionPseudoElement']);

/** Functions that change nothing where no node is of these kinds, and the one that describes components for who logs them. */
const unusedFunctions = [
  'applyViewTransitionToHostInstances',
  'commitAppearingPairViewTransitions',
  'commitDeletedPairViewTransitions',
  'commitEnterViewTransitions',
  'commitExitViewTransitions',
  'commitNestedViewTransitions',
  'commitNewChildToFragmentInstance',
  'deleteChildFromFragmentInstance',
  'flushAfterMutationEffects',
  'getStackByFiberInDevAndProd',
  'reportViewTransitionError',
  'restoreEnterOrExitViewTransitions',
  'restoreNestedViewTransitions',
  'restorePairedViewTransitions',
  'restoreViewTransitionOnHostInstances',
  'scheduleViewTransitionEvent',
  'startViewTransition',
  'trackEnterViewTransitions',
];

/** A node of a syntax tree, of which only a few kinds are looked at. */
interface Node {
  type: string;
  start: number;
  end: number;
  [field: string]: unknown;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/**
 * The code of `react-dom/client` without these parts.
 * @throws {Error} if React no longer has a function that is to be left out
 */
export function withoutUnusedReact(code: string): string {
  const program = parseAst(code) as unknown as Node;
  const found = new Set<string>();
  const edits: Edit[] = [];

  const visit = (node: Node): void => {
    const name = unusedFunctionName(node);
    if (name) {
      found.add(name);
      const body = node.body as Node;
      edits.push({ start: body.start, end: body.end, text: '{}' });
    } else if (isMethodOfUnusedClass(node)) edits.push({ start: node.start, end: node.end, text: '' });
    else if (isComparedTag(node))
      edits.push({ start: node.start, end: node.end, text: node.operator === '===' ? '!1' : '!0' });
    else {
      const removed = node.type === 'SwitchStatement' ? unusedCases(node) : [];
      for (const { start, end } of removed) edits.push({ start, end, text: '' });
      for (const child of childrenOf(node)) if (!removed.includes(child)) visit(child);
    }
  };
  visit(program);

  const missing = unusedFunctions.filter((name) => !found.has(name));
  if (missing.length > 0)
    throw new Error(`React has no ${missing.join(', ')}: read its change and correct web/slim-libraries.ts`);
  return apply(code, edits);
}

function unusedFunctionName(node: Node): string | null {
  if (node.type !== 'FunctionDeclaration') return null;
  const { name } = node.id as unknown as { name: string };
  return unusedFunctions.includes(name) ? name : null;
}

/** `FragmentInstance.prototype.focus = …` */
function isMethodOfUnusedClass(node: Node): boolean {
  if (node.type !== 'ExpressionStatement') return false;
  const { type, left } = node.expression as Node & { left?: Node };
  if (type !== 'AssignmentExpression' || left?.type !== 'MemberExpression') return false;
  const owner = left.object as Node & { object?: Node & { name?: string }; property?: { name?: string } };
  return owner.property?.name === 'prototype' && unusedClasses.has(owner.object?.name ?? '');
}

const isTag = (node: Node | undefined): boolean =>
  node?.type === 'MemberExpression' && (node.property as { name?: string }).name === 'tag';
const isUnusedTag = (node: Node | undefined): boolean =>
  node?.type === 'Literal' && unusedTags.has(node.value);

/** `30 === fiber.tag` */
function isComparedTag(node: Node): boolean {
  if (node.type !== 'BinaryExpression' || (node.operator !== '===' && node.operator !== '!==')) return false;
  const [left, right] = [node.left as Node, node.right as Node];
  return (isUnusedTag(left) && isTag(right)) || (isUnusedTag(right) && isTag(left));
}

/** The cases for unused kinds, apart from those that another case runs into. */
function unusedCases(node: Node): Node[] {
  const isOfTags = isTag(node.discriminant as Node);
  const removed: Node[] = [];
  let runsOn = false;
  for (const each of node.cases as (Node & {
    test: (Node & { name?: string }) | null;
    consequent: Node[];
  })[]) {
    const isUnused = each.test && (isOfTags ? isUnusedTag(each.test) : unusedTypes.has(each.test.name ?? ''));
    if (isUnused && (each.consequent.length === 0 || !runsOn)) removed.push(each);
    else runsOn = !endsFlow(each.consequent.at(-1));
  }
  return removed;
}

function endsFlow(last: Node | undefined): boolean {
  if (last?.type === 'BlockStatement') return endsFlow((last.body as Node[]).at(-1));
  return ['BreakStatement', 'ReturnStatement', 'ThrowStatement', 'ContinueStatement'].includes(
    last?.type ?? '',
  );
}

function childrenOf(node: Node): Node[] {
  const isNode = (value: unknown): value is Node =>
    typeof value === 'object' && value !== null && 'type' in value;
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  );
}

/** `edits` do not overlap. */
function apply(code: string, edits: Edit[]): string {
  let end = code.length;
  let rest = '';
  for (const edit of edits.toSorted((a, b) => b.start - a.start)) {
    rest = edit.text + code.slice(edit.end, end) + rest;
    end = edit.start;
  }
  return code.slice(0, end) + rest;
}

const components = 'Activity|SuspenseList|ViewTransition';
const importOfUnused = new RegExp(
  `import\\s*(?:\\w+\\s*,\\s*)?\\{[^}]*\\b(?:unstable_)?(?:${components})\\b[^}]*\\}\\s*from\\s*["']react["']|\\bReact\\.(?:unstable_)?(?:${components})\\b`,
);
const refOnFragment = /\bjsxs?\)?\(\s*_?Fragment\w*\s*,\s*\{\s*(?:key:[^,]+,\s*)?ref\b/;

/** Whether a module, as it is built, needs what `withoutUnusedReact` leaves out. */
export const needsUnusedReact = (code: string): boolean =>
  importOfUnused.test(code) || refOnFragment.test(code);

/** Builds React without what no page uses. The build fails if a module uses it after all. */
export function slimReact(): Plugin {
  return {
    name: 'slim-react',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/react-dom\/cjs\/react-dom-client\.production\.js/ },
      handler: (code) => ({ code: withoutUnusedReact(code), map: null }),
    },
    generateBundle() {
      const users = [...this.getModuleIds()].filter((id) =>
        needsUnusedReact(this.getModuleInfo(id)?.code ?? ''),
      );
      if (users.length > 0)
        this.error(`web/slim-libraries.ts leaves out of React what these need:\n${users.join('\n')}`);
    },
  };
}

/** `MutationCache` for who has no mutations. */
const noMutations = `
export class MutationCache {
  findAll() { return []; }
  clear() {}
  resumePausedMutations() { return Promise.resolve(); }
}
`;

/** Builds the query client without mutations: the storefront calls the shop itself. The build fails if a module uses one after all. */
export function slimQueries(): Plugin {
  return {
    name: 'slim-queries',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    load: {
      filter: { id: /\/query-core\/build\/modern\/mutationCache\.js/ },
      handler: () => noMutations,
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const users = chunks.filter(({ moduleIds }) =>
        moduleIds.some((id) => /\/query-core\/.*\/mutation(?:Observer)?\.js/.test(id)),
      );
      if (users.length > 0)
        this.error(
          `web/slim-libraries.ts leaves out the mutations that these use: ${users.map(({ name }) => name).join(', ')}`,
        );
    },
  };
}
