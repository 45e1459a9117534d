/** SPEC §2: an unknown address leads to the home page, which says so. */
import { useNavigate } from '@tanstack/react-router';
import { useT } from '#ui/i18n.tsx';
import { Toast } from '#ui/toast.tsx';

export function UnknownAddress() {
  const t = useT();
  const navigate = useNavigate();
  const close = () => void navigate({ to: '.', hash: '', replace: true, resetScroll: false });
  return <Toast onClose={close}>{t('shell.unknownAddress')}</Toast>;
}
