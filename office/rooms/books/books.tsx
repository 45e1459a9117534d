/** The report of the books: what was sold, taxed, received and given back in a span of days. */
import { useStaffT } from '../../lib/i18n.tsx';
import { BooksFrame } from './frame.tsx';

export default function Books() {
  const t = useStaffT();
  return (
    <BooksFrame page="">
      <h2 className="text-xl">{t('office.books.report')}</h2>
    </BooksFrame>
  );
}
