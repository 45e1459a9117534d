import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { useT } from '#ui/i18n.tsx';
import { AddedPanel, type AddedPanelProps } from './added-panel.tsx';

/** What follows a press of "Add to cart" and covers part of the page: the item added, or SPEC §8's alert. */
export function BuyOutcome(props: AddedPanelProps) {
  const { outcome, onClose } = props;
  const t = useT();
  return (
    <>
      <AddedPanel {...props} />
      <Dialog
        open={outcome.kind === 'unavailable'}
        onClose={onClose}
        role="alertdialog"
        title={t('product.oops')}
        actions={<Button onClick={onClose}>{t('product.ok')}</Button>}
      >
        <p>{t('product.unavailable')}</p>
      </Dialog>
    </>
  );
}
