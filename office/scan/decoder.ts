/** Reads barcodes: the browser's own detector where it knows all of these kinds, else one in WebAssembly, from this shop's host. */
import type { BarcodeDetector as Ponyfill } from 'barcode-detector/ponyfill';

const formats = ['ean_13', 'ean_8', 'upc_a', 'code_128', 'qr_code'] as const;

export interface Decoder {
  detect(image: HTMLVideoElement | ImageBitmap | Blob): Promise<{ rawValue: string }[]>;
}

export async function openDecoder(): Promise<Decoder> {
  const { BarcodeDetector: native } = globalThis as { BarcodeDetector?: typeof Ponyfill };
  const known: readonly string[] = (await native?.getSupportedFormats().catch(() => undefined)) ?? [];
  if (native && formats.every((format) => known.includes(format))) return new native({ formats: [...formats] });
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  prepareZXingModule({ overrides: { locateFile: () => wasm } });
  return new BarcodeDetector({ formats: [...formats] });
}
