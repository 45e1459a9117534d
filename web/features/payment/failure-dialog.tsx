import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useT } from '#ui/i18n.tsx';
import type { PaymentFailure } from './failures.ts';

interface FailureDialogProps {
  failure: Extract<PaymentFailure, { kind: 'popup' }> | undefined;
  onClose: () => void;
}

/** The popup of SPEC §8: a title, a text, OK. */
export function FailureDialog({ failure, onClose }: FailureDialogProps) {
  const t = useT();
  return (
    <Dialog
      role="alertdialog"
      open={failure !== undefined}
      onClose={onClose}
      title={failure && t(failure.title)}
      actions={<Button onClick={onClose}>{t('payment.ok')}</Button>}
    >
      <p>{failure && (failure.words ?? t(failure.text))}</p>
    </Dialog>
  );
}
