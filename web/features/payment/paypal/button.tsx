import { useEffect } from 'react';
import type { WalletProps } from '../panels.ts';

/** Filled in by the PayPal button's own change; until then this way reports that it cannot be had. */
export default function PayPalButton({ onState }: WalletProps) {
  useEffect(() => onState('failed'), [onState]);
  return null;
}
