import { useRouterState } from '@tanstack/react-router';

/** A line along the top while a page loads; its animation shows it only after 200 ms. */
export function ProgressBar() {
  const pending = useRouterState({ select: (state) => state.status === 'pending' });
  return pending ? <div className="progress-bar" aria-hidden /> : null;
}
