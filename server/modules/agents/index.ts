/** Agents that shop for people, by the Universal Commerce Protocol. */
export type { AgentsService } from './open-agents.ts';
