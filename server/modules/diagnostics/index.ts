export type { Finding } from './checks.ts';
export { createDiagnosticsService } from './diagnostics.service.ts';
export { type FindingLine, findingLines, type Subject, subjectOf } from './report.ts';
