import { useRef, useState } from 'react';

/** Whether the form has just been sent: from then until somebody tries again. */
export function useSubmitted() {
  const notice = useRef<HTMLDivElement>(null);
  const [submitted, setSubmitted] = useState(false);
  return { submitted, notice, begin: () => setSubmitted(false), succeed: () => setSubmitted(true) };
}
