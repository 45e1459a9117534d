export type { Finding } from './checks.ts';
export { createDiagnosticsService } from './diagnostics.service.ts';
