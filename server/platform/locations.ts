export { warehouse } from '#contract/limits.ts';
