import type { Database } from '#db/database.ts';
import { serve } from '#server/http/endpoint.ts';
import { serveStaff } from '#server/http/staff-endpoint.ts';
import type { ChangesService } from '#server/modules/changes/index.ts';
import type { SettingsService } from '#server/modules/settings/index.ts';
import type { StoresService } from '#server/modules/stores/index.ts';
import type { LowStockEvents } from '#server/modules/webhooks/index.ts';
import type { ServerModule } from '#server/platform/server-module.ts';
import { createInventoryService, type InventoryService } from './inventory.service.ts';
import { createReach, type OfficeStockDeps, registerOfficeStock } from './office/office-stock.ts';
import { createTakes, registerOfficeTakes, type Takes } from './office/takes.ts';
import { createStockValue, type StockValueService } from './office/value.ts';
import type { StockListings } from './stock/stock.service.ts';
import { createStockService, type StockService } from './stock/stock.service.ts';

export interface InventoryDeps {
  db: Database;
  now: () => number;
  settings: SettingsService;
  stores: StoresService;
  editor: StockListings;
  lowStock: LowStockEvents;
  changes: ChangesService;
  catalogue: OfficeStockDeps['catalogue'];
  staff: OfficeStockDeps['staff'];
}

export interface InventoryServices {
  takes: Takes;
  inventory: InventoryService;
  stock: StockService;
  stockValue: StockValueService;
}

export function createInventoryModule(deps: InventoryDeps): ServerModule<InventoryServices> {
  const services = {
    inventory: createInventoryService(deps),
    stock: createStockService(deps, deps.editor),
    stockValue: createStockValue(deps),
  };
  const takes = createTakes({ ...deps, ...services });
  return {
    services: { ...services, takes },
    registerRoutes(app) {
      serve(app, 'inventory', ({ params, query }) =>
        services.inventory.of(params.productID, query.optionPair ?? ''),
      );
      const reach = createReach(deps);
      registerOfficeStock(app, { ...deps, ...services }, reach);
      registerOfficeTakes(app, { ...deps, takes }, reach);
      serveStaff(app, 'stockValue', ({ permit, query: { from, to } }) =>
        services.stockValue.of(permit, { from, to }),
      );
      serveStaff(app, 'stockValueFile', async ({ permit, body, lang }) => {
        const file = await services.stockValue.file(permit, body, lang);
        await deps.changes.run(permit.actor, 'export books', async ({ note }) => note('export', 'books'));
        return file;
      });
    },
    maintenance: [{ run: () => services.stock.countHeld() }, { run: () => takes.sweep() }],
  };
}
