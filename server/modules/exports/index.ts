/** Exports: tables as CSV, the whole shop as an archive or as files. */
export {
  type ExportedFile,
  type ExportedShop,
  type ExportsService,
  fileCoupon,
  filePhoto,
  filesNamedIn,
  imageExtensions,
  type Table,
  tables,
} from './exports.service.ts';
export { unzipShop } from './zip.ts';
