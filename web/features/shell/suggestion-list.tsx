import { useT } from '#web/i18n/i18n.tsx';
import { Link } from '#web/lib/link.tsx';
import { urls } from '#web/lib/urls.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Picture } from '#web/ui/picture.tsx';
import { Price } from '#web/ui/price.tsx';
import { type Offered, optionId, type Suggestion } from './use-suggestions.ts';

interface SuggestionListProps {
  id: string;
  offered: Offered;
  /** What is in the box, for the last row: all results. */
  typed: string;
  /** The row that Enter takes, or -1. */
  active: number;
  onPick: (href: string) => void;
}

/** The list under the search box. Focus stays in the box (ARIA's combobox pattern); rows are links all the same. */
export function SuggestionList({ id, offered, typed, active, onPick }: SuggestionListProps) {
  const t = useT();
  const { groups, correctedTo } = offered;
  let index = 0;
  const row = (suggestion: Suggestion) => {
    const at = index++;
    return (
      <SuggestionRow key={suggestion.href} id={optionId(id, at)} suggestion={suggestion} active={at === active} onPick={onPick} />
    );
  };
  return (
    <div className="suggestions">
      {correctedTo && <p className="suggestions-note">{t('shell.search.correctedTo', { key: correctedTo })}</p>}
      {groups.length === 0 && <p className="suggestions-note">{t('shell.search.none', { key: offered.text })}</p>}
      <div id={id} role="listbox" aria-label={t('shell.search.label')}>
        {groups.map(({ heading, suggestions }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls; these are the options of a listbox
          <div key={heading} role="group" aria-labelledby={`${id}-${heading}`}>
            <div id={`${id}-${heading}`} className="suggestions-heading" role="presentation">
              {t(heading)}
            </div>
            {suggestions.map(row)}
          </div>
        ))}
        {row({ href: urls.search(typed), label: t('shell.search.all', { key: typed }) })}
      </div>
    </div>
  );
}

interface SuggestionRowProps {
  id: string;
  suggestion: Suggestion;
  active: boolean;
  onPick: (href: string) => void;
}

function SuggestionRow({ id, suggestion: { href, label, product }, active, onPick }: SuggestionRowProps) {
  return (
    <Link
      id={id}
      href={href}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={product ? 'suggestion suggestion-product' : 'suggestion'}
      // The box keeps focus, so that the list does not close before the click.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onPick(href)}
    >
      {product?.image && <Picture image={product.image} sizes="48px" shape="square" alt="" />}
      {!product && <Icon name="search" size={16} />}
      <span className="suggestion-label">{label}</span>
      {product && <Price priceInfo={product.priceInfo} />}
    </Link>
  );
}
