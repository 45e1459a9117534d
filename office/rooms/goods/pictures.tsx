import { useState } from 'react';
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import { FieldError } from '#ui/field.tsx';
import { CropDialog } from '../../lib/crop.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { LocalTextOf, SelectOf, useEdited } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';
import { useMe } from '../../lib/me.tsx';
import { ChoosePicture, DropPictures, type Picture, smallOf, useUploads } from '../../lib/pictures.tsx';

export function Pictures({ pictures }: { pictures: Readonly<Record<string, ImageInfo>> }) {
  const form = useEdited();
  const { t } = useLanguage();
  const mayAdd = useMe().may.includes('media.write');
  const [added, setAdded] = useState<Record<string, ImageInfo>>({});
  const [cropped, setCropped] = useState<string | null>(null);
  const [dragged, setDragged] = useState<number | null>(null);
  const known = { ...pictures, ...added };
  const files = (form.valueAt(['images']) ?? []) as string[];
  const add = (chosen: readonly Picture[]) => {
    setAdded((before) => ({
      ...before,
      ...Object.fromEntries(chosen.map(({ file, image }) => [file, image])),
    }));
    const names = chosen.map(({ file }) => file);
    form.change(['images'], [...files.filter((file) => !names.includes(file)), ...new Set(names)]);
  };
  const move = (from: number, to: number) =>
    form.change(['images'], files.toSpliced(from, 1).toSpliced(to, 0, files[from] ?? ''));
  const toCrop = cropped === null ? undefined : known[cropped];
  return (
    <>
      {mayAdd && <AddPictures add={add} />}
      <FieldError id="pictures-error">{form.errorAt(['images'], t('office.goods.pictures'))}</FieldError>
      {files.length === 0 && <p className="text-ink-soft">{t('office.goods.noPictures')}</p>}
      <ol className="flex flex-col divide-y divide-line">
        {files.map((file, index) => (
          <PictureRow
            key={file}
            {...{ files, index, move, dragged, setDragged }}
            image={known[file]}
            onCrop={mayAdd ? () => setCropped(file) : undefined}
          />
        ))}
      </ol>
      {files.length > 0 && <Scene files={files} />}
      {cropped !== null && toCrop && (
        <CropDialog
          picture={{ file: cropped, image: toCrop }}
          onClose={() => setCropped(null)}
          onCropped={(part) => {
            setAdded((before) => ({ ...before, [part.file]: part.image }));
            instead(form, cropped, part.file);
            setCropped(null);
          }}
        />
      )}
    </>
  );
}

/** The picture that the product page shows large. */
function Scene({ files }: { files: readonly string[] }) {
  const form = useEdited();
  const { t } = useLanguage();
  const path = ['details', 'scene'];
  const known = form.valueAt(path);
  const options = typeof known === 'string' && !files.includes(known) ? [...files, known] : files;
  return (
    <SelectOf
      path={path}
      label={t('office.goods.scene')}
      hint={t('office.goods.sceneHint')}
      placeholder={t('office.goods.noPicture')}
      options={options.map((value) => ({ value, label: value }))}
      nullable
    />
  );
}

function AddPictures({ add }: { add: (chosen: readonly Picture[]) => void }) {
  const { t } = useLanguage();
  const [isChoosing, setIsChoosing] = useState(false);
  return (
    <>
      <DropPictures uploads={useUploads(add)} />
      <Button variant="secondary" size="small" className="self-start" onClick={() => setIsChoosing(true)}>
        {t('office.media.choose')}
      </Button>
      {isChoosing && (
        <ChoosePicture
          onClose={() => setIsChoosing(false)}
          onChoose={(picture) => {
            add([picture]);
            setIsChoosing(false);
          }}
        />
      )}
    </>
  );
}

/** Puts another picture into the place of one, with the text of that. */
function instead(form: EditedDocument, old: string, file: string): void {
  const files = (form.valueAt(['images']) ?? []) as string[];
  form.change(
    ['images'],
    files.map((each) => (each === old ? file : each)),
  );
  const text = form.valueAt(['details', 'imageTexts', old]);
  if (text !== undefined) {
    form.change(['details', 'imageTexts', file], text);
    form.change(['details', 'imageTexts', old], undefined);
  }
  if (form.valueAt(['details', 'scene']) === old) form.change(['details', 'scene'], file);
}

interface PictureRowProps extends PlacesProps {
  image: ImageInfo | undefined;
  /** The place of the picture that is being dragged. */
  dragged: number | null;
  setDragged: (place: number | null) => void;
}

function PictureRow({ image, dragged, setDragged, ...places }: PictureRowProps) {
  const { t } = useLanguage();
  const { files, index, move } = places;
  const file = files[index] ?? '';
  return (
    <li
      className="grid gap-4 py-4 form:grid-cols-[8rem_minmax(0,1fr)]"
      onDragOver={(event) => {
        if (dragged !== null) event.preventDefault();
      }}
      onDrop={(event) => {
        if (dragged === null) return;
        event.preventDefault();
        move(dragged, index);
        setDragged(null);
      }}
    >
      <img
        src={image && smallOf(image)}
        alt={file}
        draggable
        onDragStart={() => setDragged(index)}
        onDragEnd={() => setDragged(null)}
        className="aspect-square w-32 cursor-grab rounded-md object-cover"
        style={{ backgroundColor: image?.color }}
      />
      <div className="flex flex-col gap-3">
        <LocalTextOf path={['details', 'imageTexts', file]} label={t('office.goods.alt')} />
        <Places {...places} />
      </div>
    </li>
  );
}

interface PlacesProps {
  files: readonly string[];
  index: number;
  move: (from: number, to: number) => void;
  onCrop: (() => void) | undefined;
}

function Places({ files, index, move, onCrop }: PlacesProps) {
  const form = useEdited();
  const { t } = useLanguage();
  const file = files[index] ?? '';
  return (
    <div className="flex flex-wrap gap-2">
      {index > 0 && (
        <Button
          label={t('office.goods.up')}
          variant="secondary"
          size="small"
          aria-label={`${t('office.goods.up')}: ${file}`}
          onClick={() => move(index, index - 1)}
        />
      )}
      {index < files.length - 1 && (
        <Button
          label={t('office.goods.down')}
          variant="secondary"
          size="small"
          aria-label={`${t('office.goods.down')}: ${file}`}
          onClick={() => move(index, index + 1)}
        />
      )}
      {onCrop && (
        <Button
          variant="secondary"
          size="small"
          aria-label={`${t('office.media.crop')}: ${file}`}
          onClick={onCrop}
        >
          {t('office.media.crop')}
        </Button>
      )}
      <Button
        label={t('office.goods.removePicture')}
        variant="quiet"
        size="small"
        aria-label={`${t('office.goods.removePicture')}: ${file}`}
        onClick={() => {
          form.change(['images'], files.toSpliced(index, 1));
          if (form.valueAt(['details', 'imageTexts', file]))
            form.change(['details', 'imageTexts', file], undefined);
          if (form.valueAt(['details', 'scene']) === file) form.change(['details', 'scene'], null);
        }}
      />
    </div>
  );
}
