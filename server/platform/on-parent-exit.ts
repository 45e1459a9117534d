/** npm starts the shop as the child of a shell, which dies of npm's signal without forwarding it. */
const lookEveryMs = 500;

/** Calls `stop` once the shell that npm started is gone. Does nothing if the shop was started another way. */
export function onParentExit(stop: () => void): void {
  if (process.env.npm_lifecycle_event !== 'start') return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    stop();
  }, lookEveryMs).unref();
}
