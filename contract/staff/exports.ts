/** The calls that take data out of the shop: each gives an address for one file, which a browser loads like any other. */
import Type, { type Static } from 'typebox';
import { described } from '../schemas/annotate.ts';
import { Strict } from '../schemas/common.ts';
import { lang, type StaffEndpoint } from './endpoint.ts';
import { GoodsFilter } from './goods.ts';

export const exportForms = ['own', 'shopify'] as const;
export type ExportForm = (typeof exportForms)[number];

/** How long an address is valid, ms. */
export const exportTicketMs = 2 * 60_000;

const Ticket = Type.Object({ ticket: described('For `exportFile`: of the caller, for two minutes.', Type.String()) });

export const GoodsExportInput = Strict({
  table: Type.Enum(['products', 'stock', 'redirects']),
  form: described('own: everything, in all languages. shopify: as Shopify exports products.', Type.Enum([...exportForms])),
  filter: GoodsFilter,
});
export type GoodsExportInput = Static<typeof GoodsExportInput>;

const common = { response: Ticket } as const;

export const exportEndpoints = {
  exportGoods: {
    ...common,
    route: 'POST exports/goods',
    summary: 'Products or stock that a filter finds, or all redirects, as CSV.',
    needs: 'goods.read',
    body: GoodsExportInput,
  },
  exportPeople: {
    ...common,
    route: 'POST exports/people',
    summary: 'All customers, or all orders, as CSV.',
    needs: 'customers.export',
    fresh: true,
    body: Strict({ table: Type.Enum(['customers', 'orders']) }),
  },
  exportShop: {
    ...common,
    route: 'POST exports/shop',
    summary: 'The whole shop as a ZIP archive: the files that `fill` reads, pictures, and all tables.',
    needs: 'shop.export',
    fresh: true,
  },
  exportFile: {
    route: 'GET exports/file',
    summary: 'The file of a ticket.',
    needs: 'anybody',
    query: Strict({ ...lang.properties, ticket: Type.String({ maxLength: 4000 }) }),
    response: Type.Unknown(),
  },
} as const satisfies Record<string, StaffEndpoint>;
