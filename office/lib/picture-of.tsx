/** A field of a document with one picture, which is uploaded when it is chosen. */
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { errorText } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import { useCall } from './api.tsx';
import type { EditedDocument, Path } from './document.tsx';
import { useLanguage } from './i18n.tsx';

interface PictureOfProps {
  form: EditedDocument;
  path: Path;
  label: string;
  /** That of the document as it is stored. */
  stored: ImageInfo | null;
}

export function PictureOf({ form, path, label, stored }: PictureOfProps) {
  const { t } = useLanguage();
  const shared = useT();
  const call = useCall();
  const id = useId();
  const [added, setAdded] = useState<Readonly<Record<string, ImageInfo>>>({});
  const add = useMutation({
    mutationFn: (file: File) => call('addPicture', { query: { name: file.name }, file }),
    onSuccess: ({ file, image }) => {
      setAdded((before) => ({ ...before, [file]: image }));
      form.change(path, file);
    },
  });
  const file = form.valueAt(path) as string | null;
  const image = file === null ? null : (added[file] ?? stored);
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className={legendClass}>
        {label}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        {image && (
          <img
            src={image.imageURL.replace(/^\/media\/\d+/, '/media/320')}
            alt={file ?? ''}
            className="aspect-square w-28 rounded-md object-cover"
            style={{ backgroundColor: image.color }}
          />
        )}
        <label className="btn btn-secondary btn-small cursor-pointer focus-within:outline-2">
          {t(add.isPending ? 'office.goods.addingPictures' : image ? 'office.picture.replace' : 'office.picture.choose')}
          <input
            type="file"
            // Without HEIC in the list, iPhones send JPEG.
            accept="image/jpeg,image/png,image/webp,image/avif"
            className="sr-only"
            aria-describedby={id}
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) add.mutate(chosen);
              target.value = '';
            }}
          />
        </label>
        {file !== null && (
          <Button variant="quiet" size="small" aria-describedby={id} onClick={() => form.change(path, null)}>
            {t('office.goods.removePicture')}
          </Button>
        )}
      </div>
      <FieldError id={`${id}-error`}>{add.error ? errorText(add.error, shared) : form.errorAt(path, label)}</FieldError>
    </div>
  );
}
