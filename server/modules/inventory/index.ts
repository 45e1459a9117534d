export type { InventoryService } from './inventory.service.ts';
export { differences as stockDifferences, type Movement } from './stock/movements.repository.ts';
export { addFirstLevels, type CorrectionReason, correctionReasons, removeLevels } from './stock/stock.repository.ts';
export type { StockLevels, StockService } from './stock/stock.service.ts';
