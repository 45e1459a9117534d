import { useSyncExternalStore } from 'react';
import { useT } from '#ui/i18n.tsx';
import { Icon } from '#ui/icon.tsx';

/** A notice while the network is unavailable. Pages visited before stay readable. */
export function OfflineNotice() {
  const t = useT();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="sticky top-(--sticky-top,0px) z-21">
      {!online && (
        <p className="flex items-center justify-center gap-3 bg-ink px-gutter py-2.5 text-paper text-sm print:hidden">
          <Icon name="offline" size={20} />
          {t('shell.offline')}
        </p>
      )}
    </div>
  );
}

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed);
  addEventListener('offline', changed);
  return () => {
    removeEventListener('online', changed);
    removeEventListener('offline', changed);
  };
}
