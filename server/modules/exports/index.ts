/** Exports: tables as CSV, the whole shop as an archive or as files. */
export { type ExportsService, type Table, tables } from './exports.service.ts';
export { type ExportedFile, type ExportedShop, filePhoto, filesNamedIn, imageExtensions } from './shop-files.ts';
export { unzipShop } from './unzip.ts';
