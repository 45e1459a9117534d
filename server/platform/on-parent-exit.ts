/** npm starts the shop as the child of a shell, which dies of npm's signal without forwarding it. */
const lookEveryMs = 500;

/** Does nothing if the shop was not started by npm. */
export function onParentExit(stop: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    stop();
  }, lookEveryMs).unref();
}
