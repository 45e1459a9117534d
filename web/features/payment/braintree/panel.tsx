import { useEffect } from 'react';
import type { PanelProps } from '../panels.ts';

/** Filled in by the Braintree panel's own change; until then this way reports that it cannot be had. */
export default function BraintreePanel({ onState }: PanelProps) {
  useEffect(() => onState('failed'), [onState]);
  return null;
}
