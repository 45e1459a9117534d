import { useStaffT } from '../../lib/i18n.tsx';
import { BooksFrame } from './frame.tsx';

export default function Returns() {
  const t = useStaffT();
  return (
    <BooksFrame page="/returns">
      <h2 className="text-xl">{t('office.books.returns')}</h2>
    </BooksFrame>
  );
}
