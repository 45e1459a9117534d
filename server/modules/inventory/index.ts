/** Inventory: stock levels, holds and availability. */
export type { InventoryService } from './inventory.service.ts';
export type { StockLevels, StockService } from './stock/stock.service.ts';
