import { useQuery } from '@tanstack/react-query';
import { useCall } from './api.ts';

/** The modifier groups of the shop. */
export function useModifierGroups() {
  const call = useCall();
  return useQuery({ queryKey: ['modifier-groups'], queryFn: () => call('modifierGroups') });
}
