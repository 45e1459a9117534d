/** Runs in each test file: closes at its end what its helpers have opened. */
import { afterAll } from 'vitest';
import { closeResources } from './resources.ts';

afterAll(closeResources);
