import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { OrderByLink } from '#contract/schemas/order.ts';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { useApi } from '#web/lib/api-context.tsx';
import { orderByLinkQuery } from './queries.ts';

export interface LinkAction<Input> {
  run: (input: Input) => void;
  busy: boolean;
  /** Why it failed; undefined if it has not. */
  error: string | undefined;
  /** Clears the error. */
  reset: () => void;
}

/** A call that changes the order of a link; `onDone` runs once the page shows the result. */
export function useLinkAction<Input = void>(
  token: string,
  call: (input: Input) => Promise<OrderByLink | null>,
  onDone: () => void,
): LinkAction<Input> {
  const t = useT();
  const client = useQueryClient();
  const { queryKey } = orderByLinkQuery(useApi(), token);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: call,
    onSuccess: (order) => {
      if (order) client.setQueryData(queryKey, order);
      onDone();
    },
    // The order may have changed meanwhile; then the page shows what it is now.
    onError: () => client.invalidateQueries({ queryKey }),
  });
  return { run: mutate, busy: isPending, error: error ? errorText(error, t) : undefined, reset };
}
