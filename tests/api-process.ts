/** The shop as a process of its own, without the storefront's build: for tests of starting and stopping. */
import { runShop } from '#server/start.ts';

await runShop({ web: null });
