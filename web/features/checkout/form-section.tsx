import { type ReactNode, useId } from 'react';

export function FormSection({ title, children }: { title: ReactNode; children: ReactNode }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-5">
      <h2 id={heading} className="text-lg">
        {title}
      </h2>
      {children}
    </section>
  );
}
