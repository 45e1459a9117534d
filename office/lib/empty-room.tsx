import type { Permission } from '#contract/staff/permissions.ts';
import { buttonClass, LinkButton } from '#ui/button.tsx';
import { useOffice } from './me.tsx';

interface EmptyRoomProps {
  /** What the room is for. */
  text: string;
  /** What somebody can do so that there is something in it. */
  step: {
    label: string;
    /** Below `/office`; `/` is the shop, in a tab of its own. */
    to: string;
    /** Left out for everybody. */
    needs?: Permission;
  };
}

/** In place of the list of a room that has nothing yet. */
export function EmptyRoom({ text, step: { label, to, needs } }: EmptyRoomProps) {
  const { may } = useOffice();
  const look = { variant: 'secondary', size: 'small' } as const;
  return (
    <div className="flex flex-col items-start gap-4 py-6">
      <p className="text-ink-soft">{text}</p>
      {needs !== undefined && !may.includes(needs) ? null : to === '/' ? (
        <a className={buttonClass(look)} href="/" target="_blank" rel="noopener">
          {label}
        </a>
      ) : (
        <LinkButton {...look} href={`/office${to}`}>
          {label}
        </LinkButton>
      )}
    </div>
  );
}
