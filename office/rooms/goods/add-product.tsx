import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { StaffResponse } from '#contract/staff/endpoints.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { FormProblem, useForm } from '#ui/form.tsx';
import { TextField } from '#ui/inputs.tsx';
import { useCall } from '../../lib/api.ts';
import { useLanguage } from '../../lib/i18n.tsx';
import { AddNamed } from '../../lib/send-form.tsx';

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
  const { t } = useLanguage();
  const call = useCall();
  return (
    <AddNamed
      title={t(like === null ? 'office.goods.add' : 'office.goods.duplicate')}
      send={(named) => call('addProduct', { body: { ...named, like } })}
      onSent={useArrive()}
      onClose={onClose}
    />
  );
}

export function MoveProduct({ product, onClose }: { product: string; onClose: () => void }) {
  const { t } = useLanguage();
  const call = useCall();
  const arrive = useArrive();
  const form = useForm({
    initial: { id: product },
    validate: () => ({}),
    send: ({ id }) => call('moveProduct', { params: { product }, body: { id } }),
    onSent: (answer) => {
      onClose();
      arrive(answer);
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('office.goods.move')}>
      <form {...form.formProps} className="flex flex-col gap-5">
        <FormProblem>{form.problem}</FormProblem>
        <TextField {...form.field('id')} label={t('office.goods.address')} hint={t('office.goods.moveHint')} autoComplete="off" />
        <Button type="submit" busy={form.busy}>
          {t('office.goods.move')}
        </Button>
      </form>
    </Dialog>
  );
}
