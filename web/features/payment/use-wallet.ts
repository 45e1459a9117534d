import { useT } from '#web/i18n/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { walletFailure } from './failures.ts';
import { payPal, type WalletProps } from './panels.ts';
import { abandonAttempt, rememberAttempt } from './pending.ts';
import type { PaymentOptions, usePayment } from './use-payment.ts';

type Payment = ReturnType<typeof usePayment>;

/** What a wallet's button is given: each step of it is a step of the payment (SPEC §4: cancelling leads back to checkout). */
export function useWallet(
  { attempt, follow, placed, rest }: Payment,
  { order }: Pick<PaymentOptions, 'order'>,
  onCancelled: () => void,
): Pick<WalletProps, 'createToken' | 'onApprove' | 'onCancel' | 'onError'> {
  const t = useT();
  const api = useApi();
  const broken = (error: unknown) => walletFailure(error, t('payment.paypal.invalid'));
  return {
    async createToken() {
      let token: string | undefined;
      await attempt(
        order,
        async () => {
          rememberAttempt(payPal.provider);
          ({ token } = await api.call('payPalToken', { query: { id: order.bill.billVersion } }));
          // The wallet's own window is in front now; whoever turns away from it may pay in another way.
          rest();
        },
        broken,
      );
      if (token === undefined) throw new Error('The wallet has no token');
      return token;
    },

    async onApprove(payment) {
      let next: 'answered' | 'chooseAgain' = 'answered';
      await attempt(order, async () => {
        const paid = await api.call('payPalPayment', { body: payment });
        if (!paid.action) return follow(paid, payPal.provider);
        next = 'chooseAgain';
        rest();
      });
      return next;
    },

    onCancel: () =>
      void attempt(order, async () => {
        const after = await abandonAttempt(api);
        if (after.placedAt !== null && after.orderID) return placed(after.orderID);
        onCancelled();
      }),

    onError: () =>
      void attempt(
        order,
        async () => {
          await abandonAttempt(api);
          throw new Error('The wallet failed');
        },
        () => ({ kind: 'notice', words: t('payment.paypal.invalid') }),
      ),
  };
}
