import { useT } from '#web/i18n/i18n.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Shown in place of a part of a page whose data failed to load. */
export function LoadFailed({ onRetry }: { onRetry: () => void }) {
  const t = useT();
  return (
    <Notice tone="bad" title={t('shell.error.text')}>
      <Button variant="quiet" size="small" onClick={onRetry}>
        {t('shell.error.retry')}
      </Button>
    </Notice>
  );
}
