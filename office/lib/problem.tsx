import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { Notice } from '#ui/notice.tsx';

/** Why a call was rejected, or got no answer; nothing where none was. */
export function Problem({ error, onClose }: { error: unknown; onClose?: () => void }) {
  const t = useT();
  return error ? <Notice tone="bad" title={errorText(error, t)} onClose={onClose} /> : null;
}
