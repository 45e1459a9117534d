/** Inventory: stock levels, holds and availability. */
export { registerInventoryRoutes } from './inventory.routes.ts';
export { createInventoryService, type InventoryService } from './inventory.service.ts';
export { createStockService, type StockLevels, type StockService } from './stock/stock.service.ts';
