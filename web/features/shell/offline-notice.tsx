import { useSyncExternalStore } from 'react';
import { useT } from '#web/i18n/i18n.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** Says that the network is gone, and goes when it is back. What was seen stays readable. */
export function OfflineNotice() {
  const t = useT();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="offline-place">
      {!online && (
        <p className="offline-notice">
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
