/** `npm run build`: installs the packages and builds the storefront. In production no development packages are left. */
import { readEnvFile } from './env-file.mjs';
import { setUp, setUpForServing } from './setup.mjs';

readEnvFile();
await (process.env.NODE_ENV === 'production' ? setUpForServing() : setUp());
