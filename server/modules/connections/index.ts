/** What owners set in the office to connect the shop with other machines. */
export type { ConnectionsService, ConnectionTest, Tester, TestResult } from './connections.service.ts';
export { createConnections } from './connections.service.ts';
