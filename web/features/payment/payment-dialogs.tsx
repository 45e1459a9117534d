import type { Order } from '#contract/schemas/order.ts';
import { ChangesDialog } from './changes-dialog.tsx';
import { FailureDialog } from './failure-dialog.tsx';
import type { PaymentStage } from './payment-state.ts';

interface PaymentDialogsProps {
  stage: PaymentStage;
  currency: string;
  /** Accepting changes does not pay yet: a wallet's window opens only when its own button is pressed. */
  acceptOnly: boolean;
  onAccept: (now: Order) => void;
  onClose: () => void;
  onSignIn: () => void;
}

/** The popups over the payment page: a failure of SPEC §8, or changes of the order to accept. */
export function PaymentDialogs({ stage, currency, acceptOnly, onAccept, onClose, onSignIn }: PaymentDialogsProps) {
  const popup = stage.name === 'failed' && stage.failure.kind === 'popup' ? stage.failure : undefined;
  const review = stage.name === 'reviewing' ? stage.review : undefined;
  return (
    <>
      <FailureDialog
        failure={popup}
        onClose={() => {
          onClose();
          if (popup?.signIn) onSignIn();
        }}
      />
      <ChangesDialog
        open={review !== undefined}
        changes={review?.changes ?? []}
        refusals={review?.refusals ?? []}
        total={review?.now.bill.total ?? 0}
        currency={currency}
        onAccept={() => (review && !acceptOnly ? onAccept(review.now) : onClose())}
        acceptOnly={acceptOnly}
        onClose={onClose}
      />
    </>
  );
}
