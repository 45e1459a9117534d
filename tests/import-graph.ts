/** What the project imports, read by dependency-cruiser and held against the rules, and the graph of the server's parts. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult, type IRegularForbiddenRuleType } from 'dependency-cruiser';
import { allowedParts, core, extensions, importRules } from './import-rules.ts';

const topFolders = [
  'contract',
  'blocks',
  'payment-providers',
  'db',
  'server',
  'ui',
  'office',
  'web',
  'demo',
  'cli',
  'bench',
];

/** One import that breaks a rule. */
export interface Violation {
  rule: string;
  from: string;
  to: string;
}

/** For each part of the server the parts that it imports, types included, with the number of imports. */
export type PartGraph = Map<string, Map<string, number>>;

export interface ImportGraph {
  /** Paths of product code below the root. Tests are left out. */
  files: string[];
  /** The number of imports in those files. */
  imports: number;
  violations: Violation[];
  parts: PartGraph;
  /** The same for the folders inside modules, such as `catalogue/lists`. */
  folders: PartGraph;
  /** How many imports of the core lead to each extension, types included; those that none leads to are left out. */
  ofExtensions: Record<string, number>;
}

/** Reads the imports of the product code below `root`. */
export async function readImports(
  root: string,
  rules: readonly IRegularForbiddenRuleType[] = importRules,
): Promise<ImportGraph> {
  const { output } = await cruise(
    topFolders.filter((folder) => existsSync(join(root, folder))),
    {
      baseDir: root,
      // The other parser of TypeScript is its own compiler, which offers no API in version 7.
      parser: 'swc',
      tsPreCompilationDeps: true,
      doNotFollow: { path: ['node_modules'] },
      exclude: { path: ['\\.test\\.tsx?$', '^tests/'] },
      validate: true,
      ruleSet: { forbidden: [...rules] },
    },
    {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
      conditionNames: ['import'],
      exportsFields: ['exports'],
    },
  );
  if (typeof output === 'string') throw new Error('dependency-cruiser did not return its result');
  return toImportGraph(output);
}

function toImportGraph({ modules, summary }: ICruiseResult): ImportGraph {
  const own = modules.filter(({ source }) => topFolders.some((folder) => source.startsWith(`${folder}/`)));
  const parts: PartGraph = new Map(Object.keys(allowedParts).map((part) => [part, new Map()]));
  const folders: PartGraph = new Map(
    own.flatMap(({ source }) => folderOf(source) ?? []).map((folder) => [folder, new Map()]),
  );
  const ofExtensions: Record<string, number> = {};
  for (const { source, dependencies } of own) {
    for (const { resolved } of dependencies) {
      const [extension] = Object.keys(extensions).filter((name) => extensions[name]?.test(resolved));
      if (core.test(source) && extension) ofExtensions[extension] = (ofExtensions[extension] ?? 0) + 1;
      count(parts, partOf(source), partOf(resolved));
      count(folders, folderOf(source), folderOf(resolved));
    }
  }
  return {
    files: own.map(({ source }) => source),
    imports: own.reduce((sum, { dependencies }) => sum + dependencies.length, 0),
    violations: summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to })),
    parts,
    folders,
    ofExtensions,
  };
}

function count(graph: PartGraph, from: string | null, to: string | null): void {
  const targets = graph.get(from ?? '');
  if (targets && to && to !== from) targets.set(to, (targets.get(to) ?? 0) + 1);
}

/** The folder inside a module that a file belongs to; null for files elsewhere or directly in the module. */
function folderOf(path: string): string | null {
  return /^server\/modules\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? null;
}

/** The part of the server that a file belongs to; null for files elsewhere or directly in `server/`. */
function partOf(path: string): string | null {
  const [, module, folder] = /^server\/(?:modules\/([^/]+)|([^/]+))\//.exec(path) ?? [];
  return module ?? folder ?? null;
}

/** The cycles of a graph: each set of parts that reach one another, sorted. */
export function cyclesOf(parts: ReadonlyMap<string, ReadonlyMap<string, number>>): string[][] {
  const names = [...parts.keys()];
  const reach = new Map(names.map((name) => [name, reachableFrom(name, parts)]));
  const groups = names.map((name) =>
    names.filter((other) => reach.get(name)?.has(other) && reach.get(other)?.has(name)).sort(),
  );
  return [...new Set(groups.filter((group) => group.length > 0).map((group) => group.join(' ')))].map(
    (group) => group.split(' '),
  );
}

function reachableFrom(start: string, parts: ReadonlyMap<string, ReadonlyMap<string, number>>): Set<string> {
  const reached = new Set<string>();
  const visit = (name: string) => {
    for (const next of parts.get(name)?.keys() ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      visit(next);
    }
  };
  visit(start);
  return reached;
}

/** The table of docs/architecture.md: a line for each part with the parts that it imports. */
export function partTable({ parts }: Pick<ImportGraph, 'parts'>): string {
  const names = Object.keys(allowedParts);
  const lines = names.map((name) => {
    const imported = names.filter((other) => parts.get(name)?.has(other));
    return `| ${name} | ${imported.join(', ') || '–'} |`;
  });
  return ['| Part | Imports |', '|---|---|', ...lines].join('\n');
}
