/** A field of a document with one picture, which is uploaded when it is chosen. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import { legendClass } from '#ui/choices.tsx';
import { errorText } from '#ui/errors.ts';
import { FieldError } from '#ui/field.tsx';
import { useT } from '#ui/i18n.tsx';
import type { Path } from './document.tsx';
import { useEdited } from './document-form.tsx';
import { useOffice } from './me.tsx';
import { ChoosePicture, pictureTypes, smallOf } from './pictures.tsx';

interface PictureOfProps {
  path: Path;
  label: string;
  /** That of the document as it is stored; left out, it is looked up. */
  stored?: ImageInfo | null;
  /** What stands for no picture. */
  none?: null | undefined | '';
}

export function PictureOf({ path, label, stored, ...rest }: PictureOfProps) {
  const form = useEdited();
  const { t, call, may } = useOffice();
  const shared = useT();
  const id = useId();
  const [isChoosing, setIsChoosing] = useState(false);
  const [added, setAdded] = useState<Readonly<Record<string, ImageInfo>>>({});
  const add = useMutation({
    mutationFn: (file: File) => call('addPicture', { query: { name: file.name }, file }),
    onSuccess: ({ file, image }) => {
      setAdded((before) => ({ ...before, [file]: image }));
      form.change(path, file);
    },
  });
  const none = 'none' in rest ? rest.none : null;
  const file = (form.valueAt(path) as string | null | undefined) || null;
  const known = file === null ? null : (added[file] ?? stored);
  const found = useQuery({
    queryKey: ['media', file],
    queryFn: () => call('media', { query: { text: file ?? '', skip: 0 } }),
    enabled: file !== null && known === undefined && may.includes('media.write'),
  });
  const image = known ?? found.data?.pictures.find((each) => each.file === file)?.image;
  return (
    <div className="flex flex-col gap-2">
      <p id={id} className={legendClass}>
        {label}
      </p>
      <div className="flex flex-wrap items-center gap-4">
        {image && (
          <img
            src={smallOf(image)}
            alt={file ?? ''}
            className="aspect-square w-28 rounded-md object-cover"
            style={{ backgroundColor: image.color }}
          />
        )}
        <label className="btn btn-secondary btn-small cursor-pointer focus-within:outline-2">
          {t(
            add.isPending
              ? 'office.goods.addingPictures'
              : image
                ? 'office.picture.replace'
                : 'office.picture.choose',
          )}
          <input
            type="file"
            accept={pictureTypes}
            className="sr-only"
            aria-describedby={id}
            onChange={({ target }) => {
              const [chosen] = target.files ?? [];
              if (chosen) add.mutate(chosen);
              target.value = '';
            }}
          />
        </label>
        {may.includes('media.write') && (
          <Button variant="secondary" size="small" aria-describedby={id} onClick={() => setIsChoosing(true)}>
            {t('office.block.fromPictures')}
          </Button>
        )}
        {file !== null && (
          <Button variant="quiet" size="small" aria-describedby={id} onClick={() => form.change(path, none)}>
            {t('office.goods.removePicture')}
          </Button>
        )}
      </div>
      {isChoosing && (
        <ChoosePicture
          onClose={() => setIsChoosing(false)}
          onChoose={({ file: chosen, image: shown }) => {
            setIsChoosing(false);
            setAdded((before) => ({ ...before, [chosen]: shown }));
            form.change(path, chosen);
          }}
        />
      )}
      <FieldError id={`${id}-error`}>
        {add.error ? errorText(add.error, shared) : form.errorAt(path, label)}
      </FieldError>
    </div>
  );
}
