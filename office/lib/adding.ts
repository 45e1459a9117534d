import { useEffect, useState } from 'react';
import { useFilters } from './lists.tsx';

/** Whether a room adds something: by its button, or by its address, `?add=yes`, to which commands of the palette lead. */
export function useAdding(): [isAdding: boolean, setIsAdding: (isAdding: boolean) => void] {
  const [{ add }, change] = useFilters();
  const [isAdding, setIsAdding] = useState(add !== undefined);
  useEffect(() => {
    if (add === undefined) return;
    setIsAdding(true);
    change({ add: '' });
  });
  return [isAdding, setIsAdding];
}
