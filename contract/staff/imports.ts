/** The calls of the room "Import and export". */
import Type, { type Static } from 'typebox';
import { localeCodes } from '../locales.ts';
import { CalendarDay, Count, described, EpochMs, Flag, Id, Nullable, Strict } from '../schemas/common.ts';
import { lang, type StaffEndpoint } from './endpoint.ts';
import { GoodsFilter } from './goods.ts';
import { textPermissions } from './permissions.ts';

const importStates = [
  'judging',
  'judged',
  'failed',
  'stopped',
  'preparing',
  'running',
  'pictures',
  'done',
  'takingBack',
  'clearing',
  'takenBack',
  'expired',
] as const;
export const importKinds = [
  'shopify',
  'woocommerce',
  'wix',
  'feed',
  'own',
  'products',
  'stock',
  'redirects',
  'translations',
  'customers',
  'orders',
  'wordpress',
  'articles',
] as const;
export type ImportKindId = (typeof importKinds)[number];
/**
 * What somebody chooses for a file; `places`: its rows name the places of units; `people`: it is about people, who belong to no store;
 * `content`: it has posts, which it publishes; `texts`: it has texts of anything that whoever sent it may change.
 */
const importUses = [
  'language',
  'place',
  'dropVariants',
  'drafts',
  'decimal',
  'invite',
  'places',
  'people',
  'content',
  'texts',
] as const;
export type ImportUse = (typeof importUses)[number];
export const importOutcomes = ['new', 'changed', 'unchanged', 'problem'] as const;
export type ImportOutcome = (typeof importOutcomes)[number];
/** Characters that a file can be in, by the names of `TextDecoder`. */
export const sheetEncodings = [
  ...([
    'utf-8',
    'utf-16le',
    'utf-16be',
    'windows-1252',
    'macintosh',
    'windows-1250',
    'windows-1251',
  ] as const),
  ...(['gb18030', 'big5', 'shift_jis', 'euc-kr'] as const),
] as const;
export type SheetEncoding = (typeof sheetEncodings)[number];
/** A file that is sent may be so large, bytes. */
export const mostImportBytes = 50 * 1024 * 1024;

const importParams = Strict({ import: Id });

export const ImportState = Type.Object({
  id: Id,
  file: Type.String(),
  uploadedAt: EpochMs,
  state: Type.Enum(importStates),
  kind: Type.Enum(importKinds),
  total: described('Things in the file, such as products.', Count),
  done: Count,
  counts: described(
    'Things by what becomes of them.',
    Type.Object(
      Object.fromEntries(importOutcomes.map((each) => [each, Count])) as Record<ImportOutcome, typeof Count>,
    ),
  ),
  warnings: described('Cells that are left out or corrected.', Count),
  problem: described('Why the file cannot be read; null: it can.', Nullable(Type.String())),
  canTakeBack: Flag,
});
export type ImportState = Static<typeof ImportState>;

const Options = {
  language: described('Of the texts in the file.', Type.Enum(localeCodes)),
  place: described('Where the units in the file are counted; null: they are left out.', Nullable(Id)),
  dropVariants: described(
    'SKUs of these products that the file does not name are removed, with their stock.',
    Flag,
  ),
  invite: described('Each new customer is sent an email that leads to a password.', Flag),
  decimal: described(
    'What divides cents in the file; null: as its amounts show.',
    Nullable(Type.Enum(['.', ','] as const)),
  ),
  drafts: described('New products without a price become drafts. Otherwise they are problems.', Flag),
};

export const ImportAnswer = Type.Object({
  ...ImportState.properties,
  about: Type.Object({ format: Type.String(), encoding: Type.String(), delimiter: Type.String() }),
  rows: Count,
  kinds: Type.Array(Type.Enum(importKinds)),
  uses: described('The options that count for such a file.', Type.Array(Type.Enum(importUses))),
  fields: described('What a column can be.', Type.Array(Type.String())),
  columns: Type.Array(
    Type.Object({
      name: described("In the file's own words.", Type.String()),
      field: described('Null: it has no place.', Nullable(Type.String())),
      example: Type.String(),
    }),
  ),
  remembered: described('The columns are read as somebody chose for such a file before.', Flag),
  options: Type.Object(Options),
  made: described(
    'What is made besides: brands, categories and tags.',
    Type.Object({ brands: Count, categories: Count, tags: Count }),
  ),
  lost: described('What the shop has no place for, each with how often.', Type.Array(Type.String())),
  asks: described(
    'What could not be told from the file: the column of names or prices, where its units are, or what divides cents.',
    Type.Array(Type.Enum(['title', 'price', 'place', 'decimal'])),
  ),
  version: described('Of what was chosen and what came of it. Applying the import names it.', Type.String()),
});
export type ImportAnswer = Static<typeof ImportAnswer>;

const ImportRows = Type.Object({
  rows: Type.Array(
    Type.Object({
      subject: Type.String(),
      outcome: Type.Enum(importOutcomes),
      line: described('The first of its rows.', Count),
      fields: described(
        'What differs.',
        Type.Array(Type.Object({ field: Type.String(), from: Type.String(), to: Type.String() })),
      ),
      shows: described(
        'Of something new: what it would look like in the shop, in the words of the caller. null for others.',
        Nullable(
          Type.Object({
            title: Type.String(),
            price: described('Of the cheapest and the dearest variant, if they differ.', Type.String()),
            status: Type.String(),
            stock: Type.String(),
            variants: Count,
            pictures: Count,
          }),
        ),
      ),
      post: described(
        'Of a new post or page: where and when readers see it, in the words of the caller. null for others.',
        Nullable(
          Type.Object({
            title: Type.String(),
            state: Type.String(),
            address: Type.String(),
            details: described('Its date, author and category, as far as it has them.', Type.String()),
            pictures: Count,
          }),
        ),
      ),
      problems: described(
        'By row and column.',
        Type.Array(Type.Object({ text: Type.String(), warning: Flag })),
      ),
    }),
  ),
  next: described('To go on after them; null: there are no more.', Nullable(Count)),
});

/** Files about people, of posts and of texts ask for their permissions too. */
const importing = {
  needs: 'goods.import',
  also: ['customers.import', 'content.publish', ...textPermissions],
} as const;
const change = { ...importing, params: importParams } as const;

export const importEndpoints = {
  imports: {
    route: 'GET imports',
    summary: 'The latest imports, and how far they are.',
    ...importing,
    response: Type.Object({ imports: Type.Array(ImportState) }),
  },
  upload: {
    tool: false,
    route: 'POST imports',
    repeat: 'own',
    summary:
      'Takes a CSV, XLSX or XML file, which is the body, of at most 50 MB, and judges it. Nothing in the shop changes.',
    ...importing,
    query: Strict({
      ...lang.properties,
      name: described('Of the file.', Type.String({ minLength: 1, maxLength: 200 })),
    }),
    response: ImportAnswer,
  },
  import: {
    route: 'GET imports/:import',
    summary: 'An import, with the columns of its file and what they are read as.',
    ...importing,
    params: importParams,
    response: ImportAnswer,
  },
  importRows: {
    route: 'GET imports/:import/rows',
    summary: 'What becomes of the things in the file: each difference, and each problem by row and column.',
    ...importing,
    params: importParams,
    query: Strict({
      ...lang.properties,
      outcome: Type.Optional(Type.Enum(importOutcomes)),
      after: Type.Optional(Count),
    }),
    response: ImportRows,
  },
  importReport: {
    tool: false,
    route: 'GET imports/:import/report',
    summary: 'The rows of the file that have a problem, as CSV with a column `Problem` behind its own.',
    ...importing,
    params: importParams,
    response: Type.Object({ csv: Type.String() }),
  },
  changeImport: {
    route: 'POST imports/:import',
    repeat: 'same',
    summary: 'Changes what the columns are read as, and the options, and judges the file again.',
    ...change,
    body: Strict({
      kind: Type.Enum(importKinds),
      fields: described(
        'By the place of the column.',
        Type.Array(Nullable(Type.String({ maxLength: 80 })), { maxItems: 500 }),
      ),
      encoding: Type.Optional(
        described(
          'The characters of the file are read as these; null or left out: as they are.',
          Nullable(Type.Enum(sheetEncodings)),
        ),
      ),
      ...Options,
    }),
    response: ImportAnswer,
  },
  applyImport: {
    route: 'POST imports/:import/apply',
    repeat: 'seen',
    summary: 'Begins to import what has no problem. Emailing invitations asks for password and code again.',
    ...change,
    body: Strict({
      seen: described(
        'The `version` of what was shown: others may have chosen otherwise since.',
        Type.String(),
      ),
    }),
    response: ImportState,
  },
  stopImport: {
    route: 'POST imports/:import/stop',
    repeat: 'same',
    summary: 'Nothing is imported, and the file is deleted.',
    ...change,
    response: ImportState,
  },
  takeImportBack: {
    route: 'POST imports/:import/take-back',
    repeat: 'same',
    summary: 'Begins to restore what the import has set and nobody has changed since.',
    ...change,
    response: ImportState,
  },
} as const satisfies Record<string, StaffEndpoint>;

export const exportForms = ['own', 'shopify'] as const;
export type ExportForm = (typeof exportForms)[number];

/** How long an address is valid, ms. */
export const exportTicketMs = 2 * 60_000;

export const Ticket = Type.Object({
  ticket: described('For `exportFile`: of the caller, for two minutes.', Type.String()),
});

const GoodsExportInput = Strict({
  table: Type.Enum(['products', 'stock', 'redirects']),
  form: described(
    'own: everything, in all languages. shopify: as Shopify exports products.',
    Type.Enum([...exportForms]),
  ),
  filter: GoodsFilter,
});

/** Each gives an address for one file, which a browser loads like any other. */
const common = { response: Ticket, repeat: 'own' } as const;

export const exportEndpoints = {
  exportGoods: {
    tool: false,
    ...common,
    route: 'POST exports/goods',
    summary: 'Products or stock that a filter finds, or all redirects, as CSV.',
    needs: 'goods.read',
    body: GoodsExportInput,
  },
  exportPeople: {
    tool: false,
    ...common,
    route: 'POST exports/people',
    summary: 'All customers, or all orders, as CSV.',
    needs: 'customers.export',
    fresh: true,
    body: Strict({ table: Type.Enum(['customers', 'orders']) }),
  },
  exportPayouts: {
    tool: false,
    ...common,
    route: 'POST exports/payouts',
    summary: 'All that payment providers say of a range, as CSV or XLSX.',
    needs: 'books.export',
    body: Strict({
      from: described('YYYY-MM-DD, in the time zone of the shop.', CalendarDay),
      to: CalendarDay,
      provider: Type.Optional(Type.String({ maxLength: 40 })),
      format: Type.Enum(['csv', 'xlsx']),
    }),
  },
  exportShop: {
    tool: false,
    ...common,
    route: 'POST exports/shop',
    summary: 'The whole shop as a ZIP archive: the files that `fill` reads, pictures, and all tables.',
    needs: 'shop.export',
    fresh: true,
  },
  exportFile: {
    tool: false,
    route: 'GET exports/file',
    summary: 'The file of a ticket.',
    needs: 'anybody',
    keys: 'too',
    query: Strict({ ...lang.properties, ticket: Type.String({ maxLength: 4000 }) }),
    response: Type.Unknown(),
  },
} as const satisfies Record<string, StaffEndpoint>;
