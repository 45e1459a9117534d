import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { Dialog } from '#ui/dialog.tsx';
import { useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useOnce } from '../../lib/api.ts';
import { useOffice } from '../../lib/me.tsx';
import { AddNamed, SendForm } from '../../lib/send-form.tsx';

/** Goes to the product. */
function useArrive() {
  const queries = useQueryClient();
  const { history } = useRouter();
  return ({ content }: StaffResponse<'product'>) => {
    void queries.invalidateQueries({ queryKey: ['goods'] });
    history.push(`/office/goods/${content.id}`);
  };
}

export function AddProduct({ like = null, onClose }: { like?: string | null; onClose: () => void }) {
  const { t, call } = useOffice();
  return (
    <AddNamed
      kind="product"
      title={t(like === null ? 'office.goods.add' : 'office.goods.duplicate')}
      send={(named, once) => call('addProduct', { body: { ...named, like }, once })}
      onSent={useArrive()}
      onClose={onClose}
    />
  );
}

export function MoveProduct({ product, onClose }: { product: string; onClose: () => void }) {
  const { t, call } = useOffice();
  const arrive = useArrive();
  const once = useOnce();
  const form = useForm({
    initial: { id: product },
    send: ({ id }) => call('moveProduct', { params: { product }, body: { id }, once }),
    onSent: (answer) => {
      onClose();
      arrive(answer);
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.goods.move')}>
      <SendForm form={form} label={t('office.goods.move')}>
        <TextField
          {...form.field('id')}
          label={t('office.goods.address')}
          hint={t('office.goods.moveHint')}
          autoComplete="off"
        />
      </SendForm>
    </Dialog>
  );
}
