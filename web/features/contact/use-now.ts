import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/**
 * The time (epoch ms), updated every minute and when the page becomes visible. Null until hydration: the server's HTML is
 * cached and must be true at any time.
 */
export function useNow(): number | null {
  const [now, setNow] = useState<number | null>(null);
  useEffect(() => {
    const look = () => setNow(Date.now());
    look();
    const timer = setInterval(look, minuteMs);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
  return now;
}
