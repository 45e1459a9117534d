/** Logos, icons and cards for links, drawn from a picture of the shop. They keep what is transparent, which photos do not have. */
import { decoding, loadSharp } from './originals.ts';

export interface PictureDrawing {
  form: 'logo' | 'small' | 'touch' | 'app' | 'card';
  /** Px. Of a logo, those in which it is shown; the file has twice as many. */
  width: number;
  height: number;
  /** Behind it, `#rrggbb`. */
  paper: string;
}

const clear = { r: 0, g: 0, b: 0, alpha: 0 };
/** Of an icon or card, at each side of a picture that does not fill it. */
const margin = 0.1;
const cardMargin = { x: 0.2, y: 0.26 };

/** @throws {Error} if the bytes are no picture */
export async function drawPicture(
  bytes: Buffer,
  { form, width, height, paper }: PictureDrawing,
): Promise<Buffer> {
  const sharp = await loadSharp();
  const picture = () => sharp(bytes, decoding).autoOrient();
  if (form === 'logo')
    return picture()
      .resize(2 * width, 2 * height, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 90 })
      .toBuffer();
  if (form === 'small')
    return picture()
      .resize(width, height, { fit: 'contain', background: clear })
      .png({ compressionLevel: 9 })
      .toBuffer();
  const { autoOrient: whole, hasAlpha } = await picture().metadata();
  const fills = form !== 'card' && !hasAlpha && whole.width === whole.height;
  const [x, y] = fills
    ? [0, 0]
    : form === 'card'
      ? [Math.round(width * cardMargin.x), Math.round(height * cardMargin.y)]
      : [Math.round(width * margin), Math.round(height * margin)];
  const drawn = picture()
    .resize(width - 2 * x, height - 2 * y, { fit: 'contain', background: clear })
    .extend({ left: x, right: x, top: y, bottom: y, background: clear })
    .flatten({ background: paper });
  return form === 'card'
    ? drawn.jpeg({ quality: 88 }).toBuffer()
    : drawn.png({ compressionLevel: 9 }).toBuffer();
}
