import { useStaffT } from '../../lib/i18n.tsx';
import { BooksFrame } from './frame.tsx';

export default function Owed() {
  const t = useStaffT();
  return (
    <BooksFrame page="/owed">
      <h2 className="text-xl">{t('office.books.owed')}</h2>
    </BooksFrame>
  );
}
