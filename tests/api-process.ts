/** Runs the shop’s API in its own process, without the storefront’s build, for tests of start and stop. */
import { runShop } from '#server/start.ts';

await runShop({ web: null });
