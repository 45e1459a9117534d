import { LinkButton } from '#ui/button.tsx';
import { BlockFrame, type BlockProps, LinkText } from '#web/blocks/block-view.tsx';

export function ButtonsBlock({ block: { buttons } }: BlockProps<'buttons'>) {
  if (buttons.length === 0) return null;
  return (
    <BlockFrame className="section">
      <ul className="flex flex-col gap-3 form:flex-row form:flex-wrap">
        {buttons.map(({ label, link, style }) => (
          <li key={link + label}>
            <LinkButton href={link} variant={style} className="w-full form:w-auto">
              <LinkText href={link}>{label}</LinkText>
            </LinkButton>
          </li>
        ))}
      </ul>
    </BlockFrame>
  );
}
