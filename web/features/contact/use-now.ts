import { useEffect, useState } from 'react';

const minuteMs = 60_000;

/**
 * The time (epoch ms), anew every minute and when the page is looked at again. Null until the page is in
 * the browser's hands: what the server renders is kept, and is true at any time.
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
