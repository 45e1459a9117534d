import { useT } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api.ts';
import { walletFailure } from './failures.ts';
import type { WalletProps } from './provider-panel.ts';
import type { PageWallet } from './registry.ts';
import { abandonAttempt, rememberAttempt } from './remembered-attempt.ts';
import type { PaymentOptions, usePayment } from './use-payment.ts';

type Payment = ReturnType<typeof usePayment>;

/**
 * The props of the chosen wallet's button, null if none is chosen. Each of its steps is a step of the payment (SPEC §4:
 * cancelling leads back to checkout).
 */
export function useWallet(
  wallet: PageWallet | undefined,
  { run, end, follow, placed }: Payment,
  { order }: Pick<PaymentOptions, 'order'>,
  onCancelled: () => void,
): Pick<WalletProps, 'createToken' | 'onApprove' | 'onCancel' | 'onError'> | null {
  const t = useT();
  const api = useApi();
  if (!wallet) return null;
  const { messages } = wallet;
  const tokenFailure = (error: unknown) => walletFailure(error, t(messages.invalid));
  return {
    async createToken() {
      let token: string | undefined;
      await run(
        order,
        async () => {
          rememberAttempt(wallet.name);
          token = await wallet.requestToken(api, order.bill.billVersion);
          // The wallet's own window is in front now; a customer who leaves it may pay in another way.
          end({ type: 'attemptStopped' });
        },
        tokenFailure,
      );
      if (token === undefined) throw new Error('The wallet has no token');
      return token;
    },

    async onApprove(approval) {
      let next: 'answered' | 'chooseAgain' = 'answered';
      await run(order, async () => {
        const paid = await wallet.approve(api, approval);
        if (!paid.action) return follow(paid, wallet.name);
        next = 'chooseAgain';
        end({ type: 'attemptStopped' });
      });
      return next;
    },

    onCancel: () =>
      void run(order, async () => {
        const after = await abandonAttempt(api);
        if (after.placedAt !== null && after.orderID) return placed(after.orderID);
        onCancelled();
      }),

    onError: () =>
      void run(
        order,
        async () => {
          await abandonAttempt(api);
          throw new Error('The wallet failed');
        },
        () => ({ kind: 'notice', words: t(messages.invalid) }),
      ),
  };
}
