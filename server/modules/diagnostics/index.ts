/** Diagnostics: the checks behind `doctor`. */
export { createDiagnosticsService } from './diagnostics.service.ts';
