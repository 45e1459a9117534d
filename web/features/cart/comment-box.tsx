import { useEffect, useRef, useState } from 'react';
import { Accordion } from '#ui/accordion.tsx';
import { errorText } from '#ui/errors.ts';
import { useT } from '#ui/i18n.tsx';
import { TextArea } from '#ui/inputs.tsx';
import type { CartStore } from './cart-store.ts';

type Saving = { state: 'still' | 'saving' | 'saved' } | { state: 'failed'; reason: string };

/** The order note, saved when the field loses focus. A change from another tab shows unless the customer is typing here. */
export function CommentBox({ comment, cartStore }: { comment: string; cartStore: CartStore }) {
  const t = useT();
  const [text, setText] = useState(comment);
  const [saving, setSaving] = useState<Saving>({ state: 'still' });
  const writing = useRef(false);
  const saved = useRef(comment);

  useEffect(() => {
    saved.current = comment;
    if (!writing.current) setText(comment);
  }, [comment]);

  const save = async () => {
    writing.current = false;
    const value = text.trim();
    if (value === saved.current) return;
    setSaving({ state: 'saving' });
    try {
      await cartStore.comment(value);
      setSaving({ state: 'saved' });
    } catch (error) {
      // The text stays in the field, so that it can be sent again.
      writing.current = true;
      setSaving({ state: 'failed', reason: errorText(error, t) });
    }
  };

  return (
    <Accordion summary={t(comment === '' ? 'cart.comment.add' : 'cart.comment.label')} defaultOpen={comment !== ''}>
      <TextArea
        label={t('cart.comment.label')}
        hint={t('cart.comment.hint')}
        optional={t('ui.optional')}
        name="customerComment"
        maxLength={1000}
        rows={2}
        value={text}
        error={saving.state === 'failed' && t('cart.comment.failed', { reason: saving.reason })}
        onFocus={() => {
          writing.current = true;
        }}
        onChange={(event) => {
          setText(event.target.value);
          setSaving({ state: 'still' });
        }}
        onBlur={() => void save()}
      />
      <p className="mt-1 min-h-6 text-ink-soft text-sm" role="status">
        {saving.state === 'saving' && t('cart.comment.saving')}
        {saving.state === 'saved' && t('cart.comment.saved')}
      </p>
    </Accordion>
  );
}
