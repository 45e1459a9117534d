import { type SyntheticEvent, useEffect, useRef } from 'react';

/**
 * The props that make a `<dialog>` follow `open`. It is the browser's own modal dialog: the page behind is inert, focus stays
 * inside and returns to where it was, Esc requests closing.
 */
export function useModal(open: boolean, onClose: () => void, closeOutside = true) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);
  return {
    ref,
    onCancel: (event: SyntheticEvent) => {
      // A file chooser or a select inside fires the same event.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      onClose();
    },
    // The browser may close it without a request (a second Esc); the owner must know.
    onClose: (event: SyntheticEvent) => {
      if (event.target === event.currentTarget && open) onClose();
    },
    // A press on the backdrop targets the dialog itself, never its content.
    onClick: (event: SyntheticEvent) => {
      if (closeOutside && event.target === event.currentTarget) onClose();
    },
  };
}
