import { type SyntheticEvent, useEffect, useRef } from 'react';

/**
 * The props that make a `<dialog>` follow `open`. It is the browser's own modal dialog: the page behind
 * is inert, focus stays inside and goes back to where it was, Esc asks to close.
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
    // The browser may close it without asking (a second Esc); the owner must know.
    onClose: (event: SyntheticEvent) => {
      if (event.target === event.currentTarget && open) onClose();
    },
    // A press on the backdrop arrives as one on the dialog itself, never on what is in it.
    onClick: (event: SyntheticEvent) => {
      if (closeOutside && event.target === event.currentTarget) onClose();
    },
  };
}
