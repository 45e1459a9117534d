/** Choosing a part of a picture, by the pointer or by sliders. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Select } from '#ui/inputs.tsx';
import { useOffice } from './me.tsx';
import type { Picture } from './pictures.tsx';
import { Problem } from './send-form.tsx';

/** Width by height. */
const shapes = { '1:1': 1, '4:5': 4 / 5, '3:4': 3 / 4, '4:3': 4 / 3, '16:9': 16 / 9 } as const;
const smallest = 20;

export function CropDialog({ picture: { file, image }, onClose, onCropped }: CropProps) {
  const { t, call } = useOffice();
  const [shape, setShape] = useState('1:1');
  const [size, setSize] = useState(100);
  const [at, setAt] = useState({ left: 50, top: 50 });
  const ratio =
    (shapes[shape as keyof typeof shapes] ?? image.width / image.height) / (image.width / image.height);
  // In fractions of the picture.
  const width = (Math.min(1, ratio) * size) / 100;
  const height = (Math.min(1, 1 / ratio) * size) / 100;
  const box = { left: ((1 - width) * at.left) / 100, top: ((1 - height) * at.top) / 100, width, height };
  const crop = useMutation({
    mutationFn: () => call('cropPicture', { params: { file }, body: box }),
    onSuccess: onCropped,
  });
  const percent = (fraction: number) => `${fraction * 100}%`;
  /** The middle of the part goes where the pointer is. */
  const placed = (middle: number, part: number) =>
    part >= 1 ? 50 : Math.min(100, Math.max(0, ((middle - part / 2) / (1 - part)) * 100));
  return (
    <Dialog open onClose={onClose} title={t('office.media.crop')}>
      <Problem error={crop.error} />
      <div
        className="relative mx-auto max-h-[50dvh] w-fit touch-none overflow-hidden"
        onPointerMove={({ buttons, currentTarget, clientX, clientY }) => {
          if (buttons !== 1) return;
          const frame = currentTarget.getBoundingClientRect();
          setAt({
            left: placed((clientX - frame.left) / frame.width, width),
            top: placed((clientY - frame.top) / frame.height, height),
          });
        }}
      >
        <img src={image.imageURL} alt="" draggable={false} className="max-h-[50dvh] object-contain" />
        <div
          className="absolute cursor-move outline-2 outline-white shadow-[0_0_0_100vmax_rgb(0_0_0/55%)]"
          style={{
            left: percent(box.left),
            top: percent(box.top),
            width: percent(width),
            height: percent(height),
          }}
        />
      </div>
      <Select
        label={t('office.media.shape')}
        options={[
          ...Object.keys(shapes).map((value) => ({ value, label: value })),
          { value: 'whole', label: t('office.media.shape.whole') },
        ]}
        value={shape}
        onChange={({ target }) => setShape(target.value)}
      />
      <Slider label={t('office.media.cropSize')} min={smallest} value={size} onChange={setSize} />
      <Slider
        label={t('office.media.cropLeft')}
        value={at.left}
        onChange={(left) => setAt({ ...at, left })}
      />
      <Slider label={t('office.media.cropTop')} value={at.top} onChange={(top) => setAt({ ...at, top })} />
      <p className="text-ink-soft text-sm">{t('office.media.cropHint')}</p>
      <Button label={t('office.media.crop')} busy={crop.isPending} onClick={() => crop.mutate()} />
    </Dialog>
  );
}

interface CropProps {
  picture: Picture;
  onClose: () => void;
  onCropped: (part: Picture) => void;
}

function Slider({
  label,
  min = 0,
  value,
  onChange,
}: {
  label: string;
  min?: number;
  value: number;
  onChange: (to: number) => void;
}) {
  return (
    <label className="flex flex-col gap-1">
      <span className="font-semibold text-sm">{label}</span>
      <input
        type="range"
        className="h-11 w-full accent-action"
        min={min}
        max={100}
        value={Math.round(value)}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </label>
  );
}
