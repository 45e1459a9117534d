/** Which part of the project may import which, as rules for dependency-cruiser (docs/architecture.md). */
import type { IRegularForbiddenRuleType } from 'dependency-cruiser';

/** What the parts that know no shop may use of the contract: languages, money, errors, rules. */
const contractKernel = [
  ...['errors', 'formatters', 'limits', 'locales', 'translate'].map((name) => `contract/${name}.ts`),
  'contract/rules/',
  'contract/schemas/common.ts',
];

/** What the code of each top folder may import besides itself and packages: folders, or single files. */
export const allowedFolders: Readonly<Record<string, readonly string[]>> = {
  contract: [
    'blocks/definitions.ts',
    'payment-providers/contract-registry.ts',
    'payment-providers/provider-contract.ts',
  ],
  db: ['contract/'],
  server: [
    'db/',
    'contract/',
    'demo/',
    'blocks/define-block.ts',
    'blocks/definitions.ts',
    'payment-providers/server-registry.ts',
  ],
  // And what the sheet of modifiers shows, which the office shows while it is edited.
  ui: [...contractKernel, 'contract/schemas/modifiers.ts'],
  office: ['ui/', 'contract/'],
  web: ['ui/', 'contract/', 'blocks/components.tsx', 'payment-providers/browser-registry.ts'],
  blocks: ['contract/', 'ui/', 'web/'],
  'payment-providers': ['contract/', 'db/', 'server/', 'ui/', 'web/'],
  demo: ['server/', 'contract/', 'db/', 'ui/', 'web/'],
  cli: ['server/', 'contract/', 'db/', 'demo/'],
};

/**
 * What each part of the server may import besides itself and, for the modules, `platform` and `http`. A line names only parts
 * of lines above it, so no cycle is possible. Files directly in `server/` compose and start the parts; no part imports them.
 */
export const allowedParts: Readonly<Record<string, readonly string[]>> = {
  platform: [],
  ssr: ['platform'],
  http: ['platform', 'ssr'],
  changes: [],
  connections: ['changes'],
  pricing: [],
  media: ['changes'],
  settings: ['changes'],
  stores: ['changes', 'media', 'settings'],
  notifications: ['connections', 'settings'],
  webhooks: ['http', 'changes', 'settings', 'notifications'],
  customers: ['changes', 'settings', 'notifications'],
  inventory: ['changes', 'pricing', 'settings', 'stores', 'webhooks'],
  catalogue: ['changes', 'pricing', 'media', 'settings', 'stores', 'webhooks', 'inventory'],
  staff: ['changes', 'settings', 'stores', 'customers'],
  content: ['changes', 'connections', 'media', 'settings', 'stores', 'notifications', 'catalogue'],
  payments: ['changes', 'connections', 'notifications', 'customers'],
  orders: [
    'changes',
    'connections',
    'pricing',
    'media',
    'settings',
    'stores',
    'notifications',
    'webhooks',
    'customers',
    'staff',
    'catalogue',
    'content',
    'inventory',
    'payments',
  ],
  checkout: [
    'changes',
    'connections',
    'pricing',
    'settings',
    'stores',
    'notifications',
    'webhooks',
    'customers',
    'inventory',
    'payments',
    'orders',
  ],
  programs: ['changes', 'settings'],
  agents: [
    'changes',
    'settings',
    'stores',
    'notifications',
    'webhooks',
    'customers',
    'catalogue',
    'inventory',
    'payments',
    'orders',
    'checkout',
  ],
  ledger: ['changes', 'pricing', 'settings', 'stores', 'payments', 'orders'],
  languages: ['changes'],
  imports: [
    'changes',
    'media',
    'settings',
    'stores',
    'customers',
    'inventory',
    'catalogue',
    'content',
    'orders',
    'languages',
  ],
  settlements: ['changes', 'settings', 'stores', 'payments', 'ledger', 'imports'],
  bookkeeping: [
    'changes',
    'connections',
    'settings',
    'stores',
    'payments',
    'orders',
    'ledger',
    'settlements',
  ],
  exports: [
    'changes',
    'media',
    'settings',
    'stores',
    'customers',
    'catalogue',
    'content',
    'orders',
    'languages',
    'imports',
    'settlements',
  ],
  removal: ['changes', 'settings', 'stores', 'catalogue', 'content', 'orders'],
  seo: ['media', 'settings', 'stores', 'catalogue', 'content'],
  diagnostics: [
    'connections',
    'pricing',
    'media',
    'settings',
    'stores',
    'notifications',
    'customers',
    'catalogue',
    'content',
    'inventory',
    'orders',
    'payments',
  ],
};

/** What every shop is: it sells without the parts that are named in `extensions`. */
export const core =
  /^(server\/modules\/(catalogue|inventory|pricing|orders|checkout|payments|customers|stores)\/(?!office\/)|server\/http\/(?!staff-endpoint|page-preview)|ui\/)/;

/** What could be left out of a shop, by name. */
export const extensions: Readonly<Record<string, RegExp>> = {
  office:
    /^(contract\/staff\/|server\/http\/(staff-endpoint|page-preview)|server\/modules\/(\w+\/office|staff|languages|removal)\/)/,
  'imports and exports': /^server\/modules\/(imports|exports)\//,
  agents: /^server\/modules\/agents\//,
  'pages and posts': /^server\/modules\/content\/(pages|posts|blog|blocks)\//,
  feeds: /^server\/modules\/(seo|content\/feeds)\//,
  books: /^server\/modules\/(ledger|bookkeeping|settlements)\//,
  telemetry: /^server\/platform\/telemetry\//,
  webhooks: /^server\/modules\/webhooks\//,
  'payment providers': /^payment-providers\//,
};

/** The parts that are folders of `server/`; the others are folders of `server/modules/`. */
const topParts = ['platform', 'ssr', 'http'];

const folderOf = (part: string) => (topParts.includes(part) ? `server/${part}/` : `server/modules/${part}/`);
const within = (paths: readonly string[]) =>
  `^(${paths.map((path) => path.replaceAll('.', '\\.')).join('|')})`;
const anyFolder = within(
  [
    'contract',
    'db',
    'server',
    'ui',
    'office',
    'web',
    'blocks',
    'payment-providers',
    'demo',
    'cli',
    'bench',
    'scripts',
    'tests',
  ].map((f) => `${f}/`),
);
const notTypes = { dependencyTypesNot: ['type-only' as const] };

type Rule = Omit<IRegularForbiddenRuleType, 'severity'>;

function folderRules(): Rule[] {
  return Object.entries(allowedFolders).map(([folder, allowed]) => ({
    name: `folders: ${folder}`,
    from: { path: `^${folder}/` },
    to: { path: anyFolder, pathNot: within([`${folder}/`, ...allowed]) },
  }));
}

function moduleRules(): Rule[] {
  const parts = Object.keys(allowedParts);
  const directions = parts.map((part): Rule => {
    const everyone = topParts.includes(part) ? [] : ['platform', 'http'];
    const allowed = [part, ...everyone, ...(allowedParts[part] ?? [])].map(folderOf);
    return {
      name: `modules: ${part}`,
      from: { path: `^${folderOf(part)}` },
      to: { path: '^server/', pathNot: within(allowed) },
    };
  });
  const inside: Rule = {
    name: 'modules: only through index.ts',
    from: {
      path: '^(?:server/modules/([^/]+)/|server/|cli/|demo/|bench/)',
      pathNot: '^server/container\\.ts$',
    },
    to: { path: '^server/modules/', pathNot: ['^server/modules/[^/]+/index\\.ts$', '^server/modules/$1/'] },
  };
  /** What loads an index.ts, for a type or a function, does not load the whole module: that would be a chain through everything. */
  const composed: Rule = {
    name: 'modules: composed by the container',
    from: { path: '^', pathNot: '^server/container\\.ts$' },
    to: { path: '^server/modules/[^/]+/module\\.ts$' },
  };
  const container: Rule = {
    name: 'container: modules by index.ts and module.ts',
    from: { path: '^server/container\\.ts$' },
    to: { path: '^server/modules/', pathNot: '^server/modules/[^/]+/(index|module)\\.ts$' },
  };
  const insideOut: Rule = {
    name: 'modules: no folder imports the root of its module',
    from: { path: '^server/modules/([^/]+)/[^/]+/' },
    to: { path: '^server/modules/$1/[^/]+$' },
  };
  const ownTables: Rule = {
    name: 'platform: its repositories are its own',
    from: { path: '^(?:server/platform/([^/]+)/|server/|cli/|demo/)' },
    to: { path: '^server/platform/.*\\.repository\\.ts$', pathNot: '^server/platform/$1/' },
  };
  return [...directions, inside, composed, container, insideOut, ownTables];
}

/** A module that `allowedParts` does not name has no rule of its own, so it may import nothing. */
const unknownModule: Rule = {
  name: 'modules: not in the table',
  from: { path: '^server/[^/]+/', pathNot: within(Object.keys(allowedParts).map(folderOf)) },
  to: {},
};

const serverRules: Rule[] = [
  {
    name: 'SQL: only in repositories',
    from: { path: '^(server|cli|demo|payment-providers)/', pathNot: '\\.repository\\.ts$' },
    to: { path: ['(^|/)node_modules/kysely/', '^db/(bulk-writes|select|tables)\\.ts$'], ...notTypes },
  },
  {
    name: 'demo and cli: through services',
    from: { path: '^(demo|cli)/' },
    to: { path: '\\.repository\\.ts$' },
  },
  {
    name: 'routes: through services',
    from: { path: '\\.routes\\.ts$' },
    to: { path: ['\\.repository\\.ts$', '^db/'], ...notTypes },
  },
  {
    name: 'demo: only from the start',
    from: { path: '^server/', pathNot: '^server/(main\\.mjs|start\\.ts)$' },
    to: { path: '^demo/' },
  },
  {
    name: 'permits: made at the door and by commands',
    // What the people of the demo have done was done by nobody who came through the door.
    from: { path: '^(server|demo|db)/', pathNot: '^(server/http/staff-endpoint|demo/past/shop)\\.ts$' },
    to: { path: '^server/platform/permits\\.ts$', ...notTypes },
  },
  {
    name: 'vite: only in ssr',
    from: { path: '^server/', pathNot: '^server/ssr/' },
    to: { path: '(^|/)node_modules/vite/' },
  },
  {
    name: 'contract: no input or output',
    from: { path: '^contract/' },
    to: { pathNot: ['^(contract|blocks|payment-providers)/', '(^|/)node_modules/typebox/'] },
  },
];

const webRules: Rule[] = [
  {
    name: 'storefront: nothing that is for the staff',
    from: { path: '^(web|ui|blocks|payment-providers/[^/]+/browser)/' },
    to: { path: '^contract/staff/' },
  },
  {
    name: 'features: not each other',
    from: { path: '^web/features/([^/]+)/' },
    to: { path: '^web/features/', pathNot: '^web/features/$1/' },
  },
  {
    name: 'features: no page or block',
    from: { path: '^web/features/' },
    to: { path: '^(blocks|web/blocks|web/routes)/' },
  },
  {
    name: 'web/ui, lib and i18n: no feature',
    from: { path: '^web/(ui|lib|i18n)/' },
    to: { path: '^(blocks|web/(features|blocks|routes))/' },
  },
  {
    name: 'blocks: definitions know no component',
    from: { path: '^blocks/.*\\.ts$' },
    to: { path: ['^(ui|web)/', '\\.tsx$'] },
  },
  {
    name: 'blocks: not each other',
    from: { path: '^blocks/([^/]+)/' },
    to: { path: '^blocks/[^/]+/', pathNot: '^blocks/$1/' },
  },
];

/** The parts of payment providers: `contract.ts` and what else is directly in a folder, `server/` and `browser/`. */
const providerPart = {
  contract: '^payment-providers/(?:[^/]+/[^/]+|contract-registry|provider-contract)\\.ts$',
  server: '^payment-providers/(?:[^/]+/server/|server-registry)',
  browser: '^payment-providers/(?:[^/]+/browser/|browser-registry)',
};

/** The files of the payments module that are written for providers. */
const providerInterface = ['settlement', 'amounts', 'decisions', 'provider', 'provider-definition'];

const providerRules: Rule[] = [
  {
    name: 'payment providers: not each other',
    from: { path: '^payment-providers/([^/]+)/' },
    to: { path: '^payment-providers/[^/]+/', pathNot: '^payment-providers/$1/' },
  },
  {
    name: 'payment providers: the contract knows neither server nor browser',
    from: { path: providerPart.contract },
    to: { pathNot: ['^contract/', providerPart.contract, '(^|/)node_modules/typebox/'] },
  },
  {
    name: 'payment providers: no browser code on the server',
    from: { path: providerPart.server },
    to: { path: ['^(ui|web)/', providerPart.browser] },
  },
  {
    name: 'payment providers: no server code in the browser',
    from: { path: providerPart.browser },
    to: { path: ['^(server|db)/', providerPart.server] },
  },
  {
    name: 'payment providers: only the interface of the payments module',
    from: { path: providerPart.server },
    to: {
      path: '^server/',
      pathNot: [
        '^server/(platform|http)/',
        `^server/modules/payments/providers/(${providerInterface.join('|')})\\.ts$`,
      ],
    },
  },
  {
    name: 'payment providers: only the interface of the payment page',
    from: { path: providerPart.browser },
    to: { path: '^web/', pathNot: ['^web/(ui|lib|i18n)/', '^web/features/payment/provider-panel\\.ts$'] },
  },
];

const brandRules: Rule[] = [
  {
    name: 'brand: only its browser part knows the storefront, by its pieces and its language',
    from: { path: '^demo/' },
    to: { path: '^web/', pathNot: '^web/(ui|lib|i18n)/' },
  },
  {
    name: 'brand: no browser code on the server',
    from: { path: '^demo/', pathNot: '^demo/brand/browser/' },
    to: { path: '^web/' },
  },
  {
    name: 'brand: no server code in the browser',
    from: { path: '^demo/brand/(browser|shared)/' },
    to: { path: '^(server|db)/' },
  },
];

export const importRules: readonly IRegularForbiddenRuleType[] = [
  ...folderRules(),
  ...moduleRules(),
  unknownModule,
  ...serverRules,
  ...webRules,
  ...providerRules,
  ...brandRules,
].map((rule) => ({ ...rule, severity: 'error' }));

const sql = /\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(|\bsql(?:<[^`]*>)?`/;

/** Whether code builds a query by itself, which no import shows. */
export function buildsSql(text: string): boolean {
  return sql.test(text);
}
