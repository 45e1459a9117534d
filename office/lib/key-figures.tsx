import type { ReactNode } from 'react';

interface KeyFigure {
  name: string;
  /** Below the name, such as a day. */
  note?: string | undefined;
  value: ReactNode;
}

/** The figures that a page begins with. An amount is never broken: what finds no room goes to the next line. */
export function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  return (
    <dl className="flex flex-wrap gap-px overflow-hidden rounded-md border border-line bg-line">
      {figures.map(({ name, note, value }) => (
        <div
          key={name}
          className="flex min-w-min flex-1 basis-[calc(50%-1px)] flex-col bg-raised px-4 py-3 form:basis-[calc(33%-1px)] wide:basis-32"
        >
          <dt className="text-ink-soft text-sm">
            {name}
            {note !== undefined && <span className="block">{note}</span>}
          </dt>
          <dd className="whitespace-nowrap font-semibold text-lg tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
