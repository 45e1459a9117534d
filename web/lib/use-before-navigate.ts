import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Calls `leave` before each navigation to another page. */
export function useBeforeNavigate(leave: () => void): void {
  const router = useRouter();
  useEffect(() => router.subscribe('onBeforeNavigate', leave), [router, leave]);
}
