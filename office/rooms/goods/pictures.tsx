/** The pictures of a product in their order, with what they show. */
import type { ImageInfo } from '#contract/schemas/common.ts';
import { Button } from '#ui/button.tsx';
import type { EditedDocument } from '../../lib/document.tsx';
import { LocalTextOf } from '../../lib/document-form.tsx';
import { useLanguage } from '../../lib/i18n.tsx';

export function Pictures({ form, pictures }: { form: EditedDocument; pictures: Readonly<Record<string, ImageInfo>> }) {
  const { t } = useLanguage();
  const files = (form.valueAt(['images']) ?? []) as string[];
  const move = (from: number, to: number) =>
    form.change(['images'], files.toSpliced(from, 1).toSpliced(to, 0, files[from] ?? ''));
  return (
    <>
      {files.length === 0 && <p className="text-ink-soft">{t('office.goods.noPictures')}</p>}
      <ol className="flex flex-col divide-y divide-line">
        {files.map((file, index) => (
          <li key={file} className="grid gap-4 py-4 form:grid-cols-[8rem_minmax(0,1fr)]">
            <img
              src={pictures[file]?.imageURL.replace(/^\/media\/\d+/, '/media/320')}
              alt={file}
              className="aspect-square w-32 rounded-md object-cover"
              style={{ backgroundColor: pictures[file]?.color }}
            />
            <div className="flex flex-col gap-3">
              <LocalTextOf form={form} path={['details', 'imageTexts', file]} label={t('office.goods.alt')} />
              <div className="flex flex-wrap gap-2">
                {index > 0 && (
                  <Button
                    variant="secondary"
                    size="small"
                    aria-label={`${t('office.goods.up')}: ${file}`}
                    onClick={() => move(index, index - 1)}
                  >
                    {t('office.goods.up')}
                  </Button>
                )}
                {index < files.length - 1 && (
                  <Button
                    variant="secondary"
                    size="small"
                    aria-label={`${t('office.goods.down')}: ${file}`}
                    onClick={() => move(index, index + 1)}
                  >
                    {t('office.goods.down')}
                  </Button>
                )}
                <Button
                  variant="quiet"
                  size="small"
                  aria-label={`${t('office.goods.removePicture')}: ${file}`}
                  onClick={() => {
                    form.change(['images'], files.toSpliced(index, 1));
                    if (form.valueAt(['details', 'imageTexts', file])) form.change(['details', 'imageTexts', file], undefined);
                    if (form.valueAt(['details', 'scene']) === file) form.change(['details', 'scene'], null);
                  }}
                >
                  {t('office.goods.removePicture')}
                </Button>
              </div>
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}
