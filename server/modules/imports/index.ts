export type { Checked, ImportsService, Progress } from './imports.service.ts';
export { ownHeader, ownRows } from './kinds/own-products.ts';
export { translationHeader } from './kinds/translations.ts';
export type { ImportRuns } from './runs/import-runs.ts';
export { readSheet } from './sheet/read-sheet.ts';
export { couponOfFile, PostFile, type PostFileReading, ShopFile, type ShopFileReading } from './shop-file.ts';
