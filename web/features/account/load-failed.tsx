import { Button } from '#ui/button.tsx';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';

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
