/**
 * Ends this process when the one that started it ends, if npm did: npm sends a signal to its shell, and some shells end without
 * passing it on.
 */
if (process.env.npm_lifecycle_event) {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && process.kill(process.pid, 'SIGTERM'), 500).unref();
}
