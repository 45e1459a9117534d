export type { InventoryService } from './inventory.service.ts';
export { differences as stockDifferences, type Movement } from './stock/movements.repository.ts';
export {
  addFirstLevels,
  type CorrectionReason,
  correctionReasons,
  endlessAmong,
  removeLevels,
  valueUnits,
} from './stock/stock.repository.ts';
export type { StockService } from './stock/stock.service.ts';
export { levelsOf, type Stocking, type StockLevels, unitsThere } from './stock/stock-levels.ts';
