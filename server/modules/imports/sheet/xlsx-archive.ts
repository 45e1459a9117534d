/**
 * The archive that an XLSX file is. What it says of its own sizes may be wrong, and readers reserve memory by it: so each part is
 * unpacked here, counted while it is, and put into an archive that is not packed and says the truth.
 */
import { crc32, inflateRawSync } from 'node:zlib';

export class ArchiveError extends Error {
  override name = 'ArchiveError';
  readonly isTooLarge: boolean;

  constructor(isTooLarge: boolean) {
    super(isTooLarge ? 'The archive is too large' : 'The archive is broken');
    this.isTooLarge = isTooLarge;
  }
}

interface Part {
  name: Buffer;
  data: Buffer;
}

const endMark = Buffer.from('PK\u0005\u0006', 'latin1');
/** Of a part that a table is read from. */
const isRead = (name: Buffer) => /\.(?:xml|rels)$/.test(name.toString());
const deflated = 8;

/** With its tables only. @throws {ArchiveError} for one that is broken, or that unpacks to more than `most` bytes */
export function honestArchive(bytes: Buffer, most: number): Buffer {
  let left = most;
  const parts: Part[] = [];
  for (const { name, data, method } of packedParts(bytes)) {
    if (!isRead(name)) continue;
    const unpacked = method === deflated ? unpack(data, left) : data;
    left -= unpacked.length;
    if (left < 0) throw new ArchiveError(true);
    parts.push({ name, data: unpacked });
  }
  return archiveOf(parts);
}

function unpack(data: Buffer, most: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, most) });
  } catch (error) {
    throw new ArchiveError((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE');
  }
}

/** By the directory at the end. @throws {ArchiveError} if it is broken, or leads to one part more than once */
function* packedParts(bytes: Buffer): Generator<Part & { method: number }> {
  const end = bytes.lastIndexOf(endMark);
  if (end < 0 || end + 20 > bytes.length) throw new ArchiveError(false);
  let at = bytes.readUInt32LE(end + 16);
  let packed = 0;
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > bytes.length) throw new ArchiveError(false);
    const [method, size, offset] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ];
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ];
    if (offset + 30 > bytes.length) throw new ArchiveError(false);
    const from = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
    packed += size;
    if (from + size > bytes.length || packed > bytes.length) throw new ArchiveError(false);
    yield {
      name: bytes.subarray(at + 46, at + 46 + nameLength),
      data: bytes.subarray(from, from + size),
      method,
    };
    at += 46 + nameLength + extra + comment;
  }
}

/** Not packed. */
function archiveOf(parts: readonly Part[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, data } of parts) {
    // Version 2.0, no flags, not packed, no time; the checksum, and both sizes.
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(data.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), facts, place, name);
    const head = [Buffer.from('PK\u0003\u0004', 'latin1'), facts, name];
    pieces.push(...head, data);
    at += 30 + name.length + data.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(
    directory.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...pieces, ...directory, endMark, end]);
}
